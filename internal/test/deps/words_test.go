package deps

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	nickname = regexp.MustCompile(`\b(doors?|house|stor(y|ies)|told|calm|teeth)\b`)
	// number is that of a rule, which belongs to pages of promises and to tests.
	number = regexp.MustCompile(`\b[SGHDMV]\d{1,2}\b`)
	// code is a line of code in a comment, which may call V1().
	code = regexp.MustCompile(`(?m)^\t.*$`)
)

// TestWords checks that comments say what happens in words that users know.
func TestWords(t *testing.T) {
	if err := filepath.WalkDir(root, func(file string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(file, ".go") {
			tests := strings.HasSuffix(file, "_test.go") || strings.Contains(filepath.ToSlash(file), "/internal/test/")
			for _, group := range parsed(t, file).Comments {
				word := nickname.FindString(group.Text())
				if word == "" && !tests {
					word = number.FindString(code.ReplaceAllString(group.Text(), ""))
				}
				if word != "" {
					t.Errorf("%s says %q", files.Position(group.Pos()), word)
				}
			}
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}
