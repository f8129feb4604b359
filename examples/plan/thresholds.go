package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/slicewright/slicewright/hints"
)

// parseThresholds reads aim/start/stop, such as 10/20/30.
func parseThresholds(text string) (t hints.Thresholds, err error) {
	_, err = fmt.Sscanf(text, "%d/%d/%d", &t.Aim, &t.Start, &t.Stop)
	switch {
	case err != nil || fmt.Sprintf("%d/%d/%d", t.Aim, t.Start, t.Stop) != text:
		return t, errors.New("want aim/start/stop in whole percent, such as 10/20/30")
	case t == (hints.Thresholds{}):
		return t, errors.New("three zeros mean the default 20/20/20; want a stop of 1 or more")
	}
	if err := (hints.Options{Thresholds: t}).Validate(nil); err != nil {
		return t, errors.New(strings.ReplaceAll(err.Error(), "\n", "; ")) // one line of text
	}
	return t, nil
}
