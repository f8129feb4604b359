package mirror_test

import (
	"encoding"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
	"unicode"

	"github.com/slicewright/slicewright/mirror"
)

// enum makes a value of each enum by its type's name.
var enum = map[string]func(n uint8) fmt.Stringer{
	"Reason":     func(n uint8) fmt.Stringer { v := mirror.Reason(n); return &v },
	"Excess":     func(n uint8) fmt.Stringer { v := mirror.Excess(n); return &v },
	"Carry":      func(n uint8) fmt.Stringer { v := mirror.Carry(n); return &v },
	"SkipReason": func(n uint8) fmt.Stringer { v := mirror.SkipReason(n); return &v },
}

// TestWordsAreConstants reads the source: the word of each constant is its name in kebab case, it survives the round trip
// through text, and values beyond are unknown.
func TestWordsAreConstants(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range []string{"eligible.go", "options.go", "report.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			block, ok := decl.(*ast.GenDecl)
			if !ok || block.Tok != token.CONST {
				continue
			}
			head := block.Specs[0].(*ast.ValueSpec)
			if head.Type == nil {
				continue
			}
			kind := head.Type.(*ast.Ident).Name
			seen[kind] = true
			checkWords(t, enum[kind], block, head)
		}
	}
	if len(seen) != len(enum) {
		t.Errorf("found %v, want all of %d enums", seen, len(enum))
	}
}

func checkWords(t *testing.T, of func(uint8) fmt.Stringer, block *ast.GenDecl, head *ast.ValueSpec) {
	t.Helper()
	first := 0
	if _, plus := head.Values[0].(*ast.BinaryExpr); plus {
		first = 1
		checkUnknown(t, of(0))
	}
	for i, spec := range block.Specs {
		v, want := of(uint8(first+i)), kebab(spec.(*ast.ValueSpec).Names[0].Name)
		text, err := v.(encoding.TextMarshaler).MarshalText()
		if v.String() != want || string(text) != want || err != nil {
			t.Errorf("%s: String %q, MarshalText %q, %v", want, v, text, err)
		}
		back := of(255)
		if err := back.(encoding.TextUnmarshaler).UnmarshalText(text); err != nil || back.String() != want {
			t.Errorf("%s comes back as %v, %v", want, back, err)
		}
	}
	checkUnknown(t, of(uint8(first+len(block.Specs))))
}

func checkUnknown(t *testing.T, v fmt.Stringer) {
	t.Helper()
	if !strings.Contains(v.String(), "(") {
		t.Errorf("%v has a word, but no constant", v)
	}
	if text, err := v.(encoding.TextMarshaler).MarshalText(); err == nil {
		t.Errorf("%v is marshalled as %q", v, text)
	}
	before := v.String()
	err := v.(encoding.TextUnmarshaler).UnmarshalText([]byte("no such word"))
	if err == nil || !strings.Contains(err.Error(), "use one of") || v.String() != before {
		t.Errorf("an unknown word makes %v of %v (%v)", v, before, err)
	}
}

func kebab(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
