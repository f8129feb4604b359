package slicertest_test

import (
	"os"
	"strings"
	"testing"
)

// TestPackageCommentStory checks that the story of the package comment is one that the example prints.
func TestPackageCommentStory(t *testing.T) {
	read := func(file string) string {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	_, story, found := strings.Cut(read("doc.go"), "//\tno-gap: ")
	story, _, ended := strings.Cut("//\tno-gap: "+story, "//\n")
	if !found || !ended {
		t.Fatal("the package comment has no story")
	}
	if printed := strings.ReplaceAll(story, "//\t", "\t// "); !strings.Contains(read("example_test.go"), printed) {
		t.Errorf("the example does not print\n%s", printed)
	}
}
