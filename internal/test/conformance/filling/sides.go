package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"

	"github.com/slicewright/slicewright/internal/test/conformance"
)

// side is a column of the table. It plays the rows, and returns what each seed gave.
type side struct {
	name string
	play func() ([][]result, error)
}

// playSides plays all sides, two at a time, the last one of the list first.
func playSides(sides []side) ([][][]result, error) {
	results, errs := make([][][]result, len(sides)), make([]error, len(sides))
	next := make(chan int, len(sides))
	for i := len(sides) - 1; i >= 0; i-- {
		next <- i
	}
	close(next)
	var all sync.WaitGroup
	for range 2 {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := range next {
				results[i], errs[i] = sides[i].play()
			}
		}()
	}
	all.Wait()
	return results, errors.Join(errs...)
}

// playAll lets a side play rows.
func playAll(side conformance.Side, rows []row) ([][]result, error) {
	all := make([][]result, len(rows))
	for i, r := range rows {
		for seed := 1; seed <= r.seeds; seed++ {
			h, as := r.make(int64(seed)), side
			if r.most > 0 {
				h.cluster.Max = r.most
			}
			if r.compact {
				as = compact
			}
			got, err := play(h, as)
			if err != nil {
				return nil, fmt.Errorf("%s, seed %d: %w", r.name, seed, err)
			}
			all[i] = append(all[i], got)
		}
	}
	return all, nil
}

// never is a threshold with which no new endpoints are a few: they fill the fullest slice first.
const never = 1_000_000

// constant is the line in package packing.
var constant = regexp.MustCompile(`(?m)^const few = \d+$`)

// playWith builds this command with another threshold in package packing, and lets the library play
// the rows that match.
func playWith(few int, match string) ([][]result, error) {
	file, err := filepath.Abs("../../../slicer/internal/packing/place.go")
	if err != nil {
		return nil, err
	}
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("run the command in internal/test/conformance: %w", err)
	}
	if len(constant.FindAll(source, -1)) != 1 {
		return nil, fmt.Errorf("%s: there is no line %q", file, constant)
	}
	dir, err := os.MkdirTemp("", "filling")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	changed, overlay := filepath.Join(dir, "place.go"), filepath.Join(dir, "overlay.json")
	list, err := json.Marshal(map[string]map[string]string{"Replace": {file: changed}})
	if err != nil {
		return nil, err
	}
	err = errors.Join(
		os.WriteFile(changed, constant.ReplaceAll(source, []byte("const few = "+strconv.Itoa(few))), 0o600),
		os.WriteFile(overlay, list, 0o600))
	if err != nil {
		return nil, err
	}
	command := exec.Command("go", "run", "-overlay", overlay, "./filling", "-play", "-rows", match)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return nil, err
	}
	var results [][]result
	return results, json.Unmarshal(out, &results)
}
