package deps

import (
	"go/ast"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/slicewright/slicewright/internal/test/drawn"
	"github.com/slicewright/slicewright/internal/test/nightly"
)

// TestEveryValueIsDecided checks that production code decides about each value of each enum of the
// public packages: for an enum that callers give, such as hints.Mode, some function compares the
// constant; for one that is returned, some function returns it. A list of all values, such as the
// one that Validate reads, is not a decision.
func TestEveryValueIsDecided(t *testing.T) {
	nightly.Slow(t)
	given, code := givenEnums(t), usageOf(t)
	for _, dir := range publicAPI(t) {
		pkg := path.Base(dir)
		for of, constants := range drawn.Enums(t, dir) {
			of = qualified(pkg, of)
			for _, c := range constants {
				switch name := pkg + "." + c.Name; {
				case implied[name] != "" || implied[of] != "":
				case given[of] && !code.decided[name]:
					t.Errorf("%s: no function decides about %s: no case, comparison, key or flag of production code "+
						"has this %s", c.Pos, name, of)
				case !given[of] && !code.used[name] && !code.literals[c.Value]:
					t.Errorf("%s: no function returns %s: remove this %s, or return it", c.Pos, name, of)
				}
			}
		}
	}
}

// implied are constants and enums of which production code does not have each value, with the
// reason.
var implied = map[string]string{
	"slicer.LeaveOut": "what is done unless Invalid is Fail or Pass",
	"dedup.Fields":    "the bits of dedup/internal/content, where a claim's Differences are computed",
}

// publicAPI returns the packages of which callers use the enums.
func publicAPI(t *testing.T) []string {
	t.Helper()
	return slices.DeleteFunc(production(t), func(dir string) bool { return strings.Contains(dir, "internal") })
}

// TestOptionsAreDrawn checks that each type of options has a call of drawn.Fields, which checks
// that the tests draw all of it.
func TestOptionsAreDrawn(t *testing.T) {
	text := testText(t)
	for _, dir := range publicAPI(t) {
		for _, file := range sources(t, dir) {
			for _, decl := range parsed(t, file).Decls {
				group, ok := decl.(*ast.GenDecl)
				for i := 0; ok && group.Tok == token.TYPE && i < len(group.Specs); i++ {
					name := path.Base(dir) + "." + group.Specs[i].(*ast.TypeSpec).Name.Name
					if isOptions(strings.TrimPrefix(name, path.Base(dir)+".")) &&
						!strings.Contains(text, "drawn.Fields["+name+"]") {
						t.Errorf("%s: no test calls drawn.Fields[%s]: nothing checks that all of its fields are drawn",
							file, name)
					}
				}
			}
		}
	}
}

// TestEveryValueIsTested checks that some test or recorded output has each value of each enum.
func TestEveryValueIsTested(t *testing.T) {
	nightly.Slow(t)
	text := testText(t)
	words := map[string]bool{}
	for _, word := range regexp.MustCompile(`\w+`).FindAllString(text, -1) {
		words[word] = true
	}
	for _, dir := range publicAPI(t) {
		for _, constants := range drawn.Enums(t, dir) {
			for _, c := range constants {
				if !words[c.Name] {
					t.Errorf("%s: no test and no recorded output has %s.%s", c.Pos, path.Base(dir), c.Name)
				}
			}
		}
	}
}

func qualified(pkg, of string) string {
	if strings.Contains(of, ".") {
		return of
	}
	return pkg + "." + of
}

// givenEnums returns the enums that callers give: the types of fields of options.
func givenEnums(t *testing.T) map[string]bool {
	t.Helper()
	given := map[string]bool{}
	for _, dir := range production(t) {
		for _, file := range sources(t, dir) {
			ast.Inspect(parsed(t, file), func(n ast.Node) bool {
				spec, ok := n.(*ast.TypeSpec)
				if !ok || !isOptions(spec.Name.Name) {
					return true
				}
				fields, ok := spec.Type.(*ast.StructType)
				for i := 0; ok && i < len(fields.Fields.List); i++ {
					given[qualified(path.Base(dir), types.ExprString(fields.Fields.List[i].Type))] = true
				}
				return false
			})
		}
	}
	return given
}

// isOptions reports whether an exported type has this name because callers choose by it.
func isOptions(name string) bool {
	return ast.IsExported(name) && (strings.HasSuffix(name, "Options") || strings.HasSuffix(name, "Policy"))
}

// usage is what the functions and variables of production code have. A name of package hints is
// listed as hints.Mode, whichever package uses it.
type usage struct {
	used     map[string]bool // exported names
	decided  map[string]bool // those in a case, a comparison, a key or a flag
	literals map[string]bool // texts, and those of constants that are used
}

func usageOf(t *testing.T) usage {
	t.Helper()
	c := usage{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	constants := map[string]string{}
	for _, dir := range closure(t, production(t)) {
		for _, file := range sources(t, dir) {
			for _, decl := range parsed(t, file).Decls {
				if group, ok := decl.(*ast.GenDecl); ok && group.Tok == token.CONST {
					addTexts(path.Base(dir), group, constants)
				} else {
					ast.Walk(&reader{path.Base(dir), c, false}, decl)
				}
			}
		}
	}
	for name, text := range constants {
		if c.used[name] {
			c.literals[text] = true
		}
	}
	return c
}

// addTexts adds the constants of a declaration that are texts.
func addTexts(pkg string, group *ast.GenDecl, constants map[string]string) {
	for _, spec := range group.Specs {
		spec := spec.(*ast.ValueSpec)
		for i := range spec.Values {
			if text, ok := spec.Values[i].(*ast.BasicLit); ok && text.Kind == token.STRING {
				constants[pkg+"."+spec.Names[i].Name] = strings.Trim(text.Value, "`\"")
			}
		}
	}
}

// reader visits the expressions of a declaration.
type reader struct {
	pkg string
	usage
	deciding bool
}

func (r *reader) Visit(n ast.Node) ast.Visitor {
	decides := func(list ...ast.Expr) {
		for _, e := range list {
			ast.Walk(&reader{r.pkg, r.usage, true}, e)
		}
	}
	switch n := n.(type) {
	case *ast.CaseClause:
		decides(n.List...)
	case *ast.BinaryExpr:
		decides(n.X, n.Y)
	case *ast.IndexExpr:
		decides(n.Index)
	case *ast.KeyValueExpr:
		decides(n.Key)
	case *ast.CallExpr, *ast.FuncLit:
		return &reader{r.pkg, r.usage, false}
	case *ast.SelectorExpr:
		if x, ok := n.X.(*ast.Ident); ok {
			r.use(x.Name + "." + n.Sel.Name)
		}
	case *ast.Ident:
		r.use(r.pkg + "." + n.Name)
	case *ast.BasicLit:
		r.literals[strings.Trim(n.Value, "`\"")] = true
	}
	return r
}

func (r *reader) use(name string) {
	r.used[name] = true
	r.decided[name] = r.decided[name] || r.deciding
}

// testText is the text of all tests and recorded outputs.
func testText(t *testing.T) string {
	t.Helper()
	var text strings.Builder
	for _, file := range slices.Concat(testFiles(t), below(t, "testdata/*/*.txt")) {
		text.WriteString(read(t, file))
	}
	return text.String()
}

// testFiles lists the tests of all packages and the code that they share, from the root.
func testFiles(t *testing.T) []string {
	t.Helper()
	return slices.DeleteFunc(goFiles(t), func(file string) bool {
		return !strings.HasSuffix(file, "_test.go") && !strings.HasPrefix(file, "internal/test/")
	})
}

// goFiles lists the Go files of all modules, from the root.
func goFiles(t *testing.T) (found []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(root), ".", func(file string, entry fs.DirEntry, err error) error {
		if strings.HasSuffix(file, ".go") {
			found = append(found, file)
		}
		return err
	})
	if err != nil || len(found) == 0 {
		t.Fatalf("%d Go files, %v", len(found), err)
	}
	return found
}
