package manifest

import (
	"bytes"
	"fmt"
	"regexp"
)

// What a file may cost, in proportion to its size. A file that says something keeps far below it.
// TestHostile measures files that do not.
const (
	objectBytes = 5  // of memory for each byte, for the objects that it becomes
	addedBytes  = 4  // of JSON for each byte of YAML, for aliases and escapes
	bytesEntry  = 24 // bytes for each entry of YAML that is in memory at once

	foundBytes = 400 // of memory for each object besides, to find it and to say where it was

	freeObjectBytes = 16 << 20 // what a small file may have besides
	freeAddedBytes  = 256 << 10
	freeEntries     = 100_000
)

// affordable refuses YAML that the library cannot read with a reasonable amount of memory: it needs
// up to half a kilobyte for each entry, of which [a,b,c] has one in two bytes, and copies what an
// anchor names for each alias. at is where the text begins.
func (s *stream) affordable(at place, text []byte) error {
	type anchor struct{ begin, size, entries, contents int } // where it begins, and how much it names
	anchors := map[string]anchor{}
	added := 0
	entries := 0
	counted := 0
	mostAdded, mostEntries := addedBytes*s.size+freeAddedBytes, s.size/bytesEntry+freeEntries
	for _, m := range append(anchorOrAlias.FindAllSubmatchIndex(text, -1), []int{len(text), len(text), 0, 0}) {
		here, name := m[0], string(text[m[2]:m[3]])
		refuse := func(problem string) error {
			at.line += bytes.Count(text[:here], newline)
			return at.problem("", problem)
		}
		more, escaped := countEntries(text[counted:here])
		added = added + escaped
		entries = entries + more
		counted = here
		if entries > mostEntries {
			return refuse(fmt.Sprintf("more than %d entries of YAML in one object; give JSON, which takes less memory",
				mostEntries))
		}
		if added > mostAdded {
			return refuse("many characters that take six bytes in JSON, such as <; give JSON, which takes less memory")
		}
		a, known := anchors[name]
		switch {
		case here < len(text) && text[here] == '&':
			anchors[name] = anchor{begin: here + added, size: -1, entries: entries}
			continue
		case known && a.size < 0: // what an anchor names ends before its first alias
			a.size, a.contents = here+added-a.begin, entries-a.entries
			anchors[name] = a
		}
		if added, entries = added+a.size, entries+a.contents; added > mostAdded || entries > mostEntries {
			return refuse(fmt.Sprintf("aliases such as *%s make the file more than %d times as long; "+
				"write the values out, or give JSON", name, addedBytes))
		}
	}
	return nil
}

var anchorOrAlias = regexp.MustCompile(`[&*]([0-9A-Za-z_-]+)`)

// countEntries returns at least the number of keys and values in YAML, and how many bytes JSON
// adds.
func countEntries(text []byte) (entries, escaped int) {
	for _, c := range text {
		switch c {
		case '\n', ',', '[', '{', ':', '-', '?':
			entries++
		case '<', '>', '&':
			escaped += len(`\u003c`) - 1
		}
	}
	return entries, escaped
}
