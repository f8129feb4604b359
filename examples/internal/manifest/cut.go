package manifest

import (
	"bytes"
	"errors"
)

// cutter cuts a YAML document that is a list in block style into its items:
//
//	apiVersion: v1
//	items:
//	- apiVersion: v1
//	  kind: Pod
//	kind: List
//
// It knows lines and their indentation only. An item that is cut in the wrong place, in the middle of a string of several
// lines, say, does not read as YAML.
type cutter struct {
	*stream
	d     *document
	first int // line of the document

	text   []byte // the whole document; nil when it is too large to be read in whole
	large  bool
	head   []byte // the lines that are not of items
	items  bool   // there are some
	inside bool   // of the items
	column int    // of the items' dashes; -1 before the first

	item  []byte // the item under way
	line  int    // its line
	count int
}

// errShape says that a document is no list of which items can be cut.
var errShape = errors.New("is no list in block style")

// cut goes through the document and reads its items. failed says why they cannot be cut; the document is in text then, if
// it is not too large. err ends everything.
func (c *cutter) cut() (failed, err error) {
	for {
		line, err := c.window.peek()
		if err != nil {
			return nil, err
		}
		if len(line) == 0 || isMark(line) {
			break
		}
		if c.keep(line); c.large && failed != nil {
			return failed, nil
		}
		if failed == nil {
			failed = c.add(line)
		}
		if Bytes(len(c.head)) > c.Limits.Object {
			return nil, c.Limits.documentError()
		}
		c.window.skip(len(line))
	}
	if failed == nil {
		failed = c.flush()
	}
	return failed, nil
}

// keep adds a line to the whole document.
func (c *cutter) keep(line []byte) {
	if c.large || Bytes(len(c.text)+len(line)) > c.Limits.Object {
		c.large, c.text = true, nil
		return
	}
	c.text = append(c.text, line...)
}

// add takes a line to the head or to an item.
func (c *cutter) add(line []byte) error {
	content := bytes.TrimLeft(line, " ")
	column := len(line) - len(content)
	content = bytes.TrimRight(content, " \t\r\n")
	blank := len(content) == 0 || content[0] == '#'
	dash := len(content) > 0 && content[0] == '-' && (len(content) == 1 || content[1] == ' ')
	switch {
	case !c.inside && isItems(line):
		if c.items {
			return errShape // items twice
		}
		c.inside, c.items, c.column = true, true, -1
		return nil
	case !c.inside:
		c.head = append(c.head, line...)
		return nil
	case blank:
		c.item = append(c.item, line...)
		return nil
	case dash && (c.column < 0 || c.column == column):
		c.column = column
		err := c.flush()
		c.line = c.window.line
		c.item = append(c.item[:0], line...)
		c.item[column] = ' '
		return err
	case c.column >= 0 && column > c.column:
		c.item = append(c.item, line...)
		if Bytes(len(c.item)) > c.Limits.Object {
			return c.Limits.objectError()
		}
		return nil
	case column > 0 || c.column < 0:
		return errShape
	}
	c.inside = false
	c.head = append(c.head, line...)
	return c.flush()
}

// isItems reports whether a line begins the items of a list.
func isItems(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte("items:"))
	rest = bytes.TrimSpace(rest)
	return ok && (len(rest) == 0 || rest[0] == '#' && line[len("items:")] == ' ')
}

// flush reads the item under way.
func (c *cutter) flush() error {
	if c.line == 0 {
		c.item = c.item[:0]
		return nil
	}
	raw, err := c.toJSON(c.item, c.line)
	if err != nil {
		return c.d.at.item(c.count).problem("", err.Error())
	}
	c.d.listing = true
	err = c.stream.item(c.d, c.count, raw, typeMeta{})
	c.count++
	c.item, c.line = c.item[:0], 0
	return err
}

// end reads what is not items.
func (c *cutter) end() error {
	head, err := c.toJSON(c.head, c.first)
	if err != nil {
		return c.d.at.problem("", err.Error())
	}
	if c.column < 0 {
		return errShape // items: and nothing, which is null
	}
	return c.close(c.d, head)
}
