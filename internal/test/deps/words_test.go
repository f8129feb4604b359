package deps

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// unexplained are numbers of rules, which belong to pages of promises and to tests, and nicknames.
var unexplained = regexp.MustCompile(`\b([SGHDMV]\d{1,2}|doors?|house|stor(y|ies)|told|calm|teeth)\b`)

// TestWords checks that comments outside of tests say what happens in words that users know.
func TestWords(t *testing.T) {
	if err := filepath.WalkDir(root, func(file string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go") && !strings.Contains(filepath.ToSlash(file), "/internal/test/") {
			for _, group := range parsed(t, file).Comments {
				if word := unexplained.FindString(group.Text()); word != "" {
					t.Errorf("%s says %q", files.Position(group.Pos()), word)
				}
			}
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}
