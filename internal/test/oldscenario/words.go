package scenario

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Words carries out the words of a command on a target, such as "headless", "max=3" and
// "label:app=web". A value may be in quotes. A word that is not known is an error.
func Words[T any](target T, words []string, known map[string]func(target T, key, value string)) error {
	for _, word := range words {
		name, value, _ := strings.Cut(word, "=")
		value, err := unquote(value)
		if err != nil {
			return err
		}
		name, key, _ := strings.Cut(name, ":")
		if known[name] == nil {
			return fmt.Errorf("unknown word %s", word)
		}
		known[name](target, key, value)
	}
	return nil
}

// Number reads a number. It panics where there is none, because such a scenario makes no sense.
func Number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return n
}

// Time reads a time in RFC 3339. It panics where there is none.
func Time(text string) time.Time {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		panic(err)
	}
	return at
}
