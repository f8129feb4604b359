package words_test

import (
	"testing"

	"github.com/slicewright/slicewright/internal/words"
)

type Size uint8

var (
	fromZero = words.Words[Size]{Names: []string{"small", "very-large"}}
	fromOne  = words.Words[Size]{First: 1, Names: []string{"small", "very-large"}}
)

func TestText(t *testing.T) {
	for _, row := range []struct {
		why   string
		words words.Words[Size]
		value Size
		want  string
		known bool
	}{
		{"the first counts from 0", fromZero, 0, "small", true},
		{"the last", fromZero, 1, "very-large", true},
		{"one beyond", fromZero, 2, "Size(2)", false},
		{"the highest number does not wrap", fromZero, 255, "Size(255)", false},
		{"zero means nothing", fromOne, 0, "Size(0)", false},
		{"the first counts from 1", fromOne, 1, "small", true},
		{"the last is one later", fromOne, 2, "very-large", true},
		{"one beyond is one later", fromOne, 3, "Size(3)", false},
	} {
		if got := row.words.Text(row.value); got != row.want || row.words.Known(row.value) != row.known {
			t.Errorf("%s: %q, known %v", row.why, got, row.words.Known(row.value))
		}
		text, err := row.words.Marshal(row.value)
		if (err == nil) != row.known || row.known && string(text) != row.want {
			t.Errorf("%s: Marshal gives %q, %v", row.why, text, err)
		}
	}
}

func TestMarshalNames(t *testing.T) {
	_, err := fromOne.Marshal(0)
	if want := "words_test: Size(0) has no text: use one of the package's constants"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestUnmarshal(t *testing.T) {
	for _, row := range []struct {
		why, text string
		words     words.Words[Size]
		want      Size
		err       string
	}{
		{"the first counts from 0", "small", fromZero, 0, ""},
		{"the first counts from 1", "small", fromOne, 1, ""},
		{"counted from 0", "very-large", fromZero, 1, ""},
		{"counted from 1", "very-large", fromOne, 2, ""},
		{"capitals are another word", "Small", fromOne, 9, `words_test: "Small" is no Size: use one of small, very-large`},
		{"no text is no word", "", fromZero, 9, `words_test: "" is no Size: use one of small, very-large`},
		{"what Text makes of an unknown value is no word", "Size(2)", fromZero, 9,
			`words_test: "Size(2)" is no Size: use one of small, very-large`},
	} {
		v := Size(9)
		err := row.words.Unmarshal(&v, []byte(row.text))
		text := ""
		if err != nil {
			text = err.Error()
		}
		if v != row.want || text != row.err {
			t.Errorf("%s: %v, %q", row.why, v, text)
		}
	}
}
