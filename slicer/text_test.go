package slicer_test

import (
	"encoding"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
	"unicode"

	"github.com/slicewright/slicewright/slicer"
)

// enum makes a value of each enum by its type's name.
var enum = map[string]func(n uint8) fmt.Stringer{
	"Packing":      func(n uint8) fmt.Stringer { v := slicer.Packing(n); return &v },
	"Identity":     func(n uint8) fmt.Stringer { v := slicer.Identity(n); return &v },
	"Oversize":     func(n uint8) fmt.Stringer { v := slicer.Oversize(n); return &v },
	"Placeholder":  func(n uint8) fmt.Stringer { v := slicer.Placeholder(n); return &v },
	"Names":        func(n uint8) fmt.Stringer { v := slicer.Names(n); return &v },
	"Invalid":      func(n uint8) fmt.Stringer { v := slicer.Invalid(n); return &v },
	"Verb":         func(n uint8) fmt.Stringer { v := slicer.Verb(n); return &v },
	"Reason":       func(n uint8) fmt.Stringer { v := slicer.Reason(n); return &v },
	"IgnoreReason": func(n uint8) fmt.Stringer { v := slicer.IgnoreReason(n); return &v },
	"RejectReason": func(n uint8) fmt.Stringer { v := slicer.RejectReason(n); return &v },
}

// TestWordsAreConstants reads enums.go: the word of each constant is its name in kebab case, it survives the round trip
// through text, and one value beyond the last constant is unknown.
func TestWordsAreConstants(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "enums.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, decl := range file.Decls {
		block, ok := decl.(*ast.GenDecl)
		if !ok || block.Tok != token.CONST {
			continue
		}
		kind := block.Specs[0].(*ast.ValueSpec).Type.(*ast.Ident).Name
		first := uint8(0)
		if _, plus := block.Specs[0].(*ast.ValueSpec).Values[0].(*ast.BinaryExpr); plus {
			first = 1
		}
		of, ok := enum[kind]
		if !ok {
			t.Errorf("%s is not in this test", kind)
			continue
		}
		seen[kind] = true
		for i, spec := range block.Specs {
			checkWord(t, of, first+uint8(i), kebab(spec.(*ast.ValueSpec).Names[0].Name))
		}
		checkUnknown(t, kind, of(first+uint8(len(block.Specs))))
		if first == 1 {
			checkUnknown(t, kind, of(0))
		}
	}
	if len(seen) != len(enum) {
		t.Errorf("enums.go declares %d enums, this test knows %d", len(seen), len(enum))
	}
}

func checkWord(t *testing.T, of func(uint8) fmt.Stringer, n uint8, want string) {
	t.Helper()
	v := of(n)
	if got := v.String(); got != want {
		t.Errorf("String() = %q, want %q", got, want)
	}
	text, err := v.(encoding.TextMarshaler).MarshalText()
	if err != nil || string(text) != want {
		t.Errorf("MarshalText() of %s = %q, %v", want, text, err)
	}
	back := of(99)
	if err := back.(encoding.TextUnmarshaler).UnmarshalText(text); err != nil || back.String() != want {
		t.Errorf("UnmarshalText(%q) = %v, %v", text, back, err)
	}
}

func checkUnknown(t *testing.T, kind string, v fmt.Stringer) {
	t.Helper()
	if got := v.String(); !strings.HasPrefix(got, kind+"(") {
		t.Errorf("String() of an unknown %s = %q", kind, got)
	}
	if text, err := v.(encoding.TextMarshaler).MarshalText(); err == nil {
		t.Errorf("MarshalText() of %v = %q, want an error", v, text)
	}
	before := v.String()
	err := v.(encoding.TextUnmarshaler).UnmarshalText([]byte("nonsense"))
	if err == nil || !strings.Contains(err.Error(), `"nonsense" is no `+kind) {
		t.Errorf("UnmarshalText(nonsense) into %s: %v", kind, err)
	}
	if v.String() != before {
		t.Errorf("UnmarshalText(nonsense) changed the value to %v", v)
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
