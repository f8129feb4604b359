package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/slicewright/slicewright/hints"
)

// parseThresholds reads aim/start/stop, such as 10/20/30.
func parseThresholds(text string) (hints.Thresholds, error) {
	var t hints.Thresholds
	words := strings.Split(text, "/")
	numbers := []*int{&t.Aim, &t.Start, &t.Stop}
	if len(words) != len(numbers) {
		return t, errors.New("want aim/start/stop, such as 10/20/30")
	}
	for i, word := range words {
		n, err := strconv.Atoi(word)
		if err != nil {
			return t, fmt.Errorf("%q: want a whole number of percent", word)
		}
		*numbers[i] = n
	}
	if t == (hints.Thresholds{}) {
		return t, errors.New("three zeros mean the default 20/20/20; want a stop of 1 or more")
	}
	if err := (hints.Options{Thresholds: t}).Validate(nil); err != nil {
		return t, errors.New(strings.ReplaceAll(err.Error(), "\n", "; ")) // one line of text
	}
	return t, nil
}
