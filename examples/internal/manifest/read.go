package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/util/yaml"
)

const (
	mostBytes   = 1 << 30 // of a file
	mostValues  = 100_000 // in one object, and in one text of YAML
	objectBytes = 8       // of memory for each byte of a file
	freeBytes   = 32 << 20
)

// reader reads one file.
type reader struct {
	*Objects
	lenient bool
	memory  int // bytes that are left for the objects
}

// Files reads all named files, "-" being stdin. lenient skips fields that this program does not
// know, and objects of other APIs whose kind has the same name. The first mistake ends it with an
// error that names the file, the line and the object, and says what to do.
func Files(stdin io.Reader, lenient bool, names ...string) (*Objects, error) {
	objects := &Objects{Others: map[string]int{}, seen: map[string]entry{}}
	for _, name := range names {
		text, err := load(stdin, name)
		if name == "-" {
			name = "standard input"
		}
		if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
			return nil, fmt.Errorf("%s: %w; check the name", name, failed.Err)
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		r := reader{Objects: objects, lenient: lenient, memory: objectBytes*len(text) + freeBytes}
		if err := r.documents(place{file: name, line: 1}, text); err != nil {
			return nil, err
		}
	}
	return objects, nil
}

func load(stdin io.Reader, name string) ([]byte, error) {
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		stdin = file
	}
	text, err := io.ReadAll(io.LimitReader(stdin, mostBytes+1))
	control := func(r rune) bool { return r < ' ' && !strings.ContainsRune("\t\n\r\f", r) }
	if err == nil && len(text) > mostBytes {
		err = fmt.Errorf("more than %d MiB; give fewer objects", mostBytes>>20)
	} else if err == nil && bytes.ContainsFunc(text[:min(len(text), 1<<10)], control) {
		err = errors.New("is not text; give YAML or JSON, save it as UTF-8, and unpack what is compressed")
	}
	return bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), err
}

// place is where an object is.
type place struct {
	file  string
	line  int
	path  string // inside lists, such as "items[3]"
	lists int
}

func (p place) String() string {
	return strings.TrimSuffix(fmt.Sprintf("%s: line %d: %s", p.file, p.line, p.path), ": ")
}

// below is the place below some lines.
func (p place) below(lines []byte) place {
	p.line += bytes.Count(lines, []byte("\n"))
	return p
}

// problem returns an error in one line.
func (p place) problem(format string, args ...any) error {
	return fmt.Errorf("%v: "+format, append([]any{p}, args...)...)
}

var (
	mark     = regexp.MustCompile(`(?m)^(?:---|\.\.\.)(?:[ \t\r].*)?$`)
	comments = regexp.MustCompile(`^(?:[ \t\r]*(?:#.*)?(?:\n|$))*`)
	isJSON   = regexp.MustCompile(`^\s*(?:\{\s*["}]|\[\s*[{\]])`)
)

// documents reads the documents of a file.
func (r *reader) documents(at place, text []byte) error {
	begin := 0
	for _, m := range append(mark.FindAllIndex(text, -1), []int{len(text), len(text)}) {
		document := text[begin:m[0]]
		before := comments.Find(document)
		content := document[len(before):]
		read := r.yaml
		if isJSON.Match(content) {
			read = r.json
		}
		if len(bytes.TrimSpace(content)) > 0 {
			if err := read(at.below(before), content); err != nil {
				return err
			}
		}
		at = at.below(document)
		begin = min(m[0]+len("---"), len(text))
	}
	return nil
}

// json reads JSON objects, one after the other.
func (r *reader) json(at place, text []byte) error {
	in := json.NewDecoder(bytes.NewReader(text))
	for end := int64(0); ; {
		var raw json.RawMessage
		err := in.Decode(&raw)
		begin := in.InputOffset() - int64(len(raw))
		syntax := (*json.SyntaxError)(nil)
		if errors.Is(err, io.EOF) {
			return nil
		} else if errors.Is(err, io.ErrUnexpectedEOF) {
			return at.problem("the file ends inside this object; get it again")
		} else if errors.As(err, &syntax) {
			return at.below(text[end:min(int(syntax.Offset), len(text))]).problem(
				"%v; correct it, or get the object as JSON again", err)
		}
		at = at.below(text[end:begin])
		if err := r.object(at, raw, typeMeta{}); err != nil {
			return err
		}
		at = at.below(raw)
		end = in.InputOffset()
	}
}

var (
	beginsItems = regexp.MustCompile(`(?m)^items:[ \t]*(?:#.*)?\r?\n(?:[ \t]*(?:#.*)?\r?\n)*( *)-[ \t\r\n]`)
	anchor      = regexp.MustCompile(`(?:^|[\s,\[{:?\-\x{85}\x{2028}\x{2029}])&[0-9A-Za-z_-]`)
	alias       = regexp.MustCompile(`(?:^|[\s,\[{:?\-\x{85}\x{2028}\x{2029}])\*[0-9A-Za-z_-]`)
	template    = regexp.MustCompile(`(?m)^[ \t]*(?:- +)*(?:[\w./-]+: +)?\{\{.*$`)
	saysLine    = regexp.MustCompile(`^.*?\bline (\d+): `)
)

// yaml reads a document of YAML. The items of a list as kubectl prints it are read one by one,
// because the library takes many times the memory of the text.
func (r *reader) yaml(at place, text []byte) error {
	if found := alias.FindIndex(text); found != nil && anchor.Match(text) {
		return at.below(text[:found[1]]).problem("an alias of YAML; write the value out, or give JSON")
	}
	m := beginsItems.FindSubmatchIndex(text)
	if m == nil {
		return r.whole(at, text, nil)
	}
	list, rest := items(text[m[2]:], m[3]-m[2])
	raw, err := toJSON(at, bytes.Join([][]byte{text[:m[0]], []byte("items: []\n"), rest}, nil))
	if err != nil {
		return err
	}
	e, err := r.envelope(at, raw, typeMeta{})
	if err != nil {
		return err
	}
	each, ok, err := e.list(at)
	if err != nil {
		return err
	} else if !ok { // another kind with a field of this name
		return r.whole(at, text, nil)
	}
	at = at.below(text[:m[2]])
	for i, item := range list {
		at.path = fmt.Sprintf("items[%d]", i)
		if err := r.whole(at, item, &each); err != nil {
			return err
		}
		at = at.below(item)
	}
	return nil
}

// items cuts a list in block style into its items, up to a line that is indented less.
func items(text []byte, indent int) (list [][]byte, rest []byte) {
	begin := 0
	end := 0
	for line := range bytes.Lines(text) {
		content := bytes.TrimLeft(line, " ")
		blanks := len(line) - len(content)
		says := len(bytes.TrimSpace(content)) > 0 && content[0] != '#'
		if says && (blanks < indent || blanks == indent && content[0] != '-') {
			break
		} else if says && blanks == indent && end > begin {
			list = append(list, text[begin:end])
			begin = end
		}
		end += len(line)
	}
	return append(list, text[begin:end]), text[end:]
}

// whole reads a text of YAML at once: an object, or a list with one item of the kind each.
func (r *reader) whole(at place, text []byte, each *typeMeta) error {
	raw, err := toJSON(at, text)
	kind := typeMeta{}
	if err == nil && each != nil {
		var one []json.RawMessage
		if err := json.Unmarshal(raw, &one); err != nil || len(one) != 1 {
			return at.problem("is not one item of a list; check the indentation")
		}
		raw, kind, at.lists = one[0], *each, 1
	}
	if err == nil {
		err = r.object(at, raw, kind)
	}
	if m := template.FindIndex(text); err != nil && m != nil {
		return at.below(text[:m[0]]).problem("%s is a template that was not rendered; render it first, for example by "+
			"helm template", bytes.TrimSpace(text[m[0]:m[1]]))
	}
	return err
}

// toJSON converts a text of YAML, of which each value takes up to half a kilobyte of memory.
func toJSON(at place, text []byte) (raw json.RawMessage, err error) {
	if count(text, "\n,[{:-?") > mostValues {
		return nil, at.problem("more than %d values of YAML in one object; give JSON, which takes less", mostValues)
	}
	if err = yaml.UnmarshalStrict(text, &raw); err == nil {
		return raw, nil
	}
	message := oneLine(err)
	if m := saysLine.FindStringSubmatchIndex(message); m != nil {
		n := 0
		fmt.Sscan(message[m[2]:m[3]], &n)
		at.line += max(n-1, 0)
		message = message[m[1]:]
	}
	return nil, at.problem("%s; correct the YAML here or in the line above, or get it again if the file is cut off",
		message)
}

// count returns how many of the bytes are in the text.
func count(text []byte, marks string) (n int) {
	for _, c := range text {
		if strings.IndexByte(marks, c) >= 0 {
			n++
		}
	}
	return n
}

// oneLine makes a library's message fit a line.
func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }
