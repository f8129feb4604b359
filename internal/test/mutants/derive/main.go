// Command derive makes mutants from the code of packages, runs the packages' own tests against a sample of them, and
// lists those that survive:
//
//	go run ./internal/test/mutants/derive ./hints
//	go run ./internal/test/mutants/derive -sample 500 ./slicer
//
// Survivors that are listed below testdata/mutants/equivalent are not counted. The exit code is 1 if fewer than 98% of the
// others were killed.
package main

import (
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/slicewright/slicewright/internal/test/mutants/derived"
)

// wanted is the part of mutants that tests must kill, in percent.
const wanted = 98

type command struct {
	sample  int
	seed    uint64
	only    []string
	verbose bool
	list    bool
}

func main() {
	var c command
	flag.IntVar(&c.sample, "sample", 150, "mutants to draw of each package; 0 means all")
	flag.Uint64Var(&c.seed, "seed", 1, "of the sample")
	flag.Func("only", "instead of a sample: all mutants whose line of output contains this `text`, or another -only's", func(text string) error {
		c.only = append(c.only, text)
		return nil
	})
	flag.BoolVar(&c.verbose, "v", false, "print every mutant with the test that kills it")
	flag.BoolVar(&c.list, "list", false, "print the mutants and run nothing")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "derive: which packages? For example: derive ./hints ./dedup")
		os.Exit(2)
	}
	enough := true
	for _, pattern := range flag.Args() {
		ok, err := c.judge(pattern)
		if err != nil {
			fmt.Fprintf(os.Stderr, "derive: %s: %v\n", pattern, err)
			os.Exit(2)
		}
		enough = enough && ok
	}
	if !enough {
		os.Exit(1)
	}
}

// judge says whether enough of a package's mutants were killed.
func (c command) judge(pattern string) (bool, error) {
	p, err := derived.Load(".", pattern)
	if err != nil {
		return false, err
	}
	all := p.Find()
	drawn := c.draw(all)
	if c.list {
		for _, m := range drawn {
			fmt.Println(m)
		}
		return true, nil
	}
	equivalent, err := derived.ReadEquivalent(list(p))
	if err != nil {
		return false, err
	}
	scratch, err := os.MkdirTemp("", "slicewright-mutants-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(scratch)
	binary, err := p.Build(scratch, drawn)
	if err != nil {
		return false, err
	}
	suite, err := derived.NewSuite(binary)
	if err != nil {
		return false, err
	}
	fmt.Printf("%s: %d mutants, %d drawn with seed %d, %d of them do not compile; the tests take %v\n",
		p.Path, len(all), len(drawn), c.seed, len(binary.Refused), suite.Took().Round(100*time.Millisecond))
	if len(suite.Skip) > 0 {
		fmt.Printf("%s: skipped, because they fail without a mutant: %s\n", p.Path, strings.Join(suite.Skip, " "))
	}
	return c.run(p, suite, equivalent), nil
}

func (c command) draw(all []derived.Mutant) []derived.Mutant {
	switch {
	case len(c.only) > 0:
		return slices.DeleteFunc(slices.Clone(all), func(m derived.Mutant) bool {
			return !slices.ContainsFunc(c.only, func(text string) bool { return strings.Contains(m.String(), text) })
		})
	case c.sample == 0:
		return all
	}
	return derived.Sample(all, c.sample, c.seed)
}

// run judges the mutants one after the other.
func (c command) run(p *derived.Package, suite *derived.Suite, equivalent []derived.Equivalent) bool {
	began := time.Now()
	var killed, late, same int
	var survivors []derived.Mutant
	for i, m := range suite.Binary.Mutants {
		verdict, by := suite.Judge(m)
		known := slices.ContainsFunc(equivalent, func(e derived.Equivalent) bool { return e.Is(m) })
		switch {
		case verdict == derived.Killed:
			killed++
		case verdict == derived.TimedOut:
			late++
		case known:
			same++
		default:
			survivors = append(survivors, m)
			fmt.Printf("survived: %s\n", m)
		}
		if c.verbose {
			fmt.Printf("%d/%d %s %s %s\n", i+1, len(suite.Binary.Mutants), m, verdict, by)
		}
	}
	counted := killed + late + len(survivors)
	fmt.Printf("%s: %d of %d killed (%.1f%%; %d by their time), %d survived, %d equivalent, %v\n", p.Path, killed+late, counted,
		100*float64(killed+late)/float64(max(1, counted)), late, len(survivors), same, time.Since(began).Round(time.Second))
	return 100*(killed+late) >= wanted*counted
}

// list is the file with the package's equivalent mutants.
func list(p *derived.Package) string {
	const module = "github.com/slicewright/slicewright/"
	name := strings.ReplaceAll(strings.TrimPrefix(p.Path, module), "/", "-") + ".txt"
	up := strings.Repeat("../", strings.Count(strings.TrimPrefix(p.Path, module), "/")+1)
	return filepath.Join(p.Dir, filepath.FromSlash(path.Join(up, "testdata/mutants/equivalent", name)))
}
