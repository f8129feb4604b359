// Package wordstest holds the enums of a package to one rule: the word of a constant is its name in kebab case, and it
// survives the way through text and back.
package wordstest

import (
	"encoding"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
	"unicode"
)

// Value is a pointer to an enum's value.
type Value interface {
	fmt.Stringer
	encoding.TextMarshaler
	encoding.TextUnmarshaler
}

// Enum is an enum under test.
type Enum struct {
	kind string
	of   func(n uint8) Value
}

// Of names an enum, as in Of[slicer.Packing]().
func Of[E ~uint8, P interface {
	*E
	Value
}]() Enum {
	_, kind, _ := strings.Cut(fmt.Sprintf("%T", E(0)), ".")
	return Enum{kind: kind, of: func(n uint8) Value { v := E(n); return P(&v) }}
}

// Check reads the source of the package under test, which is in the working directory, and checks that all its enums,
// which are the types with UnmarshalText, are given, and the word of each of their constants.
func Check(t *testing.T, enums ...Enum) {
	t.Helper()
	given := map[string]Enum{}
	for _, e := range enums {
		given[e.kind] = e
	}
	declared := map[string]bool{}
	for _, file := range sources(t) {
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if kind := unmarshals(d); kind != "" && given[kind].of == nil {
					t.Errorf("%s is not in this test", kind)
				}
			case *ast.GenDecl:
				if e := given[constantsOf(d)]; e.of != nil {
					declared[e.kind] = true
					e.check(t, d)
				}
			}
		}
	}
	if len(declared) != len(enums) {
		t.Errorf("found the constants of %v, want those of %d enums", declared, len(enums))
	}
}

func sources(t *testing.T) (files []*ast.File) {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if name := entry.Name(); strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
	}
	return files
}

// unmarshals returns the type that a method UnmarshalText belongs to, empty for all else.
func unmarshals(d *ast.FuncDecl) string {
	if d.Recv == nil || d.Name.Name != "UnmarshalText" {
		return ""
	}
	return d.Recv.List[0].Type.(*ast.StarExpr).X.(*ast.Ident).Name
}

// constantsOf returns the type of a block of constants, empty for all else.
func constantsOf(d *ast.GenDecl) string {
	if d.Tok == token.CONST {
		if kind, ok := d.Specs[0].(*ast.ValueSpec).Type.(*ast.Ident); ok {
			return kind.Name
		}
	}
	return ""
}

func (e Enum) check(t *testing.T, block *ast.GenDecl) {
	t.Helper()
	first := 0
	if _, plus := block.Specs[0].(*ast.ValueSpec).Values[0].(*ast.BinaryExpr); plus {
		first = 1
		e.unknown(t, 0)
	}
	for i, spec := range block.Specs {
		e.known(t, uint8(first+i), kebab(spec.(*ast.ValueSpec).Names[0].Name))
	}
	e.unknown(t, uint8(first+len(block.Specs)))
}

func (e Enum) known(t *testing.T, n uint8, want string) {
	t.Helper()
	v, back := e.of(n), e.of(255)
	text, err := v.MarshalText()
	if v.String() != want || string(text) != want || err != nil {
		t.Errorf("%s %s: String %q, MarshalText %q, %v", e.kind, want, v, text, err)
	}
	if err := back.UnmarshalText(text); err != nil || back.String() != want {
		t.Errorf("%s %s comes back as %v, %v", e.kind, want, back, err)
	}
}

func (e Enum) unknown(t *testing.T, n uint8) {
	t.Helper()
	v := e.of(n)
	before := fmt.Sprintf("%s(%d)", e.kind, n)
	if v.String() != before {
		t.Errorf("%s is %v, but has no constant", before, v)
	}
	if text, err := v.MarshalText(); err == nil {
		t.Errorf("%s is marshalled as %q", before, text)
	}
	err := v.UnmarshalText([]byte("no such word"))
	if err == nil || !strings.Contains(err.Error(), "is no "+e.kind) || v.String() != before {
		t.Errorf("an unknown word makes %v of %s (%v)", v, before, err)
	}
}

// kebab turns ByTargetUID into by-target-uid.
func kebab(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if i > 0 && unicode.IsUpper(r) && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
