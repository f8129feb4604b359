package manifest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/slicewright/slicewright/examples/internal/commandline"
)

// place is where reading is.
type place struct {
	file   string
	line   int    // on which the object begins, from 1; 0 for the whole file
	path   string // inside lists, such as "items[3]"
	lists  int    // how many lists are around
	object string // what the object is, such as "Pod default/web-1"
}

func (p place) item(i int) place {
	p.path = strings.TrimPrefix(fmt.Sprintf("%s.items[%d]", p.path, i), ".")
	p.lists++
	return p
}

func (p place) of(e envelope) place {
	name := e.name
	if e.namespace != "" {
		name = e.namespace + "/" + name
	}
	p.object = strings.TrimSpace(e.kind + " " + name)
	return p
}

// problem is a mistake in a field, or in the whole object if field is empty: one line that says
// where it is, what is wrong and what would be right.
func (p place) problem(field, problem string) error {
	if p.path != "" {
		field = strings.TrimSuffix(p.path+"."+field, ".")
	}
	return errors.New(words(p.inFile(), p.object, field, problem))
}

func (p place) String() string { return words(p.inFile(), p.path) }

// inFile is the file and the line.
func (p place) inFile() string {
	if p.line == 0 {
		return p.file
	}
	return fmt.Sprintf("%s: line %d", p.file, p.line)
}

// words joins the words that are not empty, on one line.
func words(all ...string) string {
	var seen []string
	for _, word := range all {
		if word != "" {
			seen = append(seen, commandline.Visible(word))
		}
	}
	return strings.Join(seen, ": ")
}

// oneLine makes a library's message fit a line.
func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }
