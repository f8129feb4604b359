package deps

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "rewrite testdata/api.txt")

const apiFile = "testdata/api.txt"

// TestAPI compares all exported names of the public packages, with their types, with a list:
// a change of what users call shows in the difference.
func TestAPI(t *testing.T) {
	var list []string
	for _, dir := range public(t) {
		if !strings.Contains(dir, "/internal/") {
			list = append(list, exported(t, dir)...)
		}
	}
	have := strings.Join(list, "\n") + "\n"
	if *rewrite {
		if err := os.WriteFile(filepath.Join(root, apiFile), []byte(have), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range differing(list, strings.Split(strings.TrimSpace(read(t, apiFile)), "\n")) {
		t.Errorf("%s; go test ./internal/test/deps -run TestAPI -rewrite writes %s", line, apiFile)
	}
}

// TestAPISinceRelease checks that the CHANGELOG's first section names what differs from the list of
// the last release, which is kept beside the CHANGELOG.
func TestAPISinceRelease(t *testing.T) {
	released := below(t, ".github/api/*.txt")
	if len(released) == 0 {
		t.Skip("nothing is released: a release copies " + apiFile + " to .github/api/VERSION.txt")
	}
	before, now := read(t, slices.Max(released)), read(t, apiFile)
	_, section, _ := strings.Cut(read(t, ".github/CHANGELOG.md"), "\n## ")
	section, _, _ = strings.Cut(section, "\n## ")
	for _, line := range unannounced(strings.Split(before, "\n"), strings.Split(now, "\n"), section) {
		t.Errorf("%s: the CHANGELOG does not name it", line)
	}
}

// declared finds the name of what a line declares, with that of the type that it is of.
var declared = regexp.MustCompile(`^[-+] \w+(?:\.(\w+))?: (?:func (?:\(\w* ?\*?(\w+)[^)]*\) )?|type |const |var )?(\w+)`)

// unannounced returns the differences between two lists whose names a text does not have.
func unannounced(before, now []string, text string) []string {
	return slices.DeleteFunc(differing(now, before), func(line string) bool {
		match := declared.FindStringSubmatch(line)
		of, name := match[1]+match[2], match[3]
		return strings.Contains(text, "`"+name+"`") || of != "" && strings.Contains(text, "`"+of+"."+name+"`")
	})
}

// differing returns the lines that one list has and the other has not, with a sign before them.
func differing(have, want []string) []string {
	var found []string
	for _, side := range []struct {
		sign      string
		list, not []string
	}{{"- ", want, have}, {"+ ", have, want}} {
		for _, line := range side.list {
			if !slices.Contains(side.not, line) {
				found = append(found, side.sign+line)
			}
		}
	}
	return found
}

// several are the names of fields of one type.
var several = regexp.MustCompile(`^\w+(, \w+)* `)

// exported lists the exported declarations of a package, sorted: a line each, and one for each
// field or method of a type. Fields and methods have the type's name before them.
func exported(t *testing.T, dir string) (list []string) {
	t.Helper()
	for _, name := range sources(t, dir) {
		file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution) // without comments
		if err != nil {
			t.Fatal(err)
		}
		ast.FileExports(file)
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok &&
				(f.Recv == nil || ast.IsExported(receiverName(f.Recv.List[0].Type))) {
				f.Body = nil
				list = append(list, filepath.Base(dir)+": "+strings.Join(printed(decl), " "))
			}
			group, _ := decl.(*ast.GenDecl)
			for i := 0; group != nil && group.Tok != token.IMPORT && i < len(group.Specs); i++ {
				text, at := printed(group.Specs[i]), filepath.Base(dir)
				list = append(list, at+": "+group.Tok.String()+" "+text[0])
				if of, ok := group.Specs[i].(*ast.TypeSpec); ok {
					at += "." + of.Name.Name
				}
				for _, line := range text[1:] {
					if line == "" || line == "}" || strings.HasPrefix(line, "//") {
						continue
					}
					rest := several.ReplaceAllString(line, "")
					for _, name := range strings.Split(strings.TrimSpace(strings.TrimSuffix(line, rest)), ", ") {
						list = append(list, strings.TrimSpace(at+": "+name+" "+rest))
					}
				}
			}
		}
	}
	slices.Sort(list)
	return list
}

// printed is the source of a declaration by lines, without alignment.
func printed(node ast.Node) (lines []string) {
	var b strings.Builder
	if err := printer.Fprint(&b, files, node); err != nil {
		panic(err) // the parser made the node
	}
	for line := range strings.Lines(b.String()) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return lines
}

func TestUnannounced(t *testing.T) {
	before := []string{"a: func F(x int)", "a: func (t T) G()", "a.T: X int"}
	now := []string{"a: func F(y int)", "a.T: Y int"}
	got := strings.Join(unannounced(before, now, "`F` takes y; `T.G` goes; T has `T.Y`"), ", ")
	if want := "- a.T: X int"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
