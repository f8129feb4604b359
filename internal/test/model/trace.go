package model

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/slicewright/slicewright/internal/test/scenario"
)

// A trace is a scenario: a line for the world, a line for each action, and below each what it did.

// Trace prints actions and what they do.
func Trace(w World, actions []action) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", w)
	m := newModel(w)
	m.talk = true
	s := m.start()
	for _, a := range actions {
		n, out := m.do(&s, a)
		fmt.Fprintf(&b, "\n%s\n", m.print(a))
		if out.text != "done" {
			fmt.Fprintf(&b, "----\n%s\n", out.text)
		}
		s = n
	}
	return b.String()
}

func (m *model) print(a action) string {
	words := []string{string(a.kind)}
	switch {
	case a.kind == podChanges:
		words = append(words, strconv.Itoa(a.pod+1))
	case a.name != "":
		words = append(words, m.short(a.name))
	case a.writer > 0:
		words = append(words, "by", strconv.Itoa(a.writer+1))
	}
	return strings.Join(words, " ")
}

// short is the last part of a name: "ipv4", "ipv4-2". Generated names are short, and "new" is to
// come.
func (m *model) short(name string) string {
	if _, rest, ok := strings.Cut(name, "-ipv"); ok {
		return "ipv" + rest
	}
	return cmp.Or(name, "new")
}

// show is a slice as "ipv4 80: 1 2".
func (m *model) show(o object) string {
	s := m.contents[o.content].object
	text := m.short(o.name)
	for _, p := range s.Ports {
		text += fmt.Sprint(" ", *p.Port)
	}
	text += ":"
	for i := range s.Endpoints {
		text += " " + strings.TrimPrefix(s.Endpoints[i].TargetRef.Name, "pod-")
	}
	return text
}

func (m *model) showView(v view) string {
	var texts []string
	for _, o := range v {
		texts = append(texts, m.show(o))
	}
	if len(texts) == 0 {
		return "nothing"
	}
	return strings.Join(texts, "; ")
}

// String is the line of a world: its fields that are not zero, by name.
func (w World) String() string {
	line := "world"
	v := reflect.ValueOf(w)
	for i := range v.NumField() {
		name := strings.ToLower(v.Type().Field(i).Name)
		switch f := v.Field(i); {
		case f.IsZero():
		case f.Kind() == reflect.Bool:
			line += " " + name
		default:
			line += fmt.Sprintf(" %s=%d", name, f.Int())
		}
	}
	return line
}

// parseWorld reads what String prints.
func parseWorld(words []string) (World, error) {
	var w World
	v := reflect.ValueOf(&w).Elem()
	for _, word := range words {
		name, value, _ := strings.Cut(word, "=")
		f := v.FieldByNameFunc(func(field string) bool { return strings.ToLower(field) == name })
		number, err := strconv.Atoi(value)
		switch {
		case !f.IsValid():
			return w, fmt.Errorf("a world has no %s", name)
		case f.Kind() == reflect.Bool:
			f.SetBool(true)
		case f.Kind() == reflect.Int && err == nil:
			f.SetInt(int64(number))
		default:
			return w, fmt.Errorf("%s is no number", word)
		}
	}
	return w, nil
}

// replay carries out the commands of a scenario: a world, and then actions. The commands server and
// cache print what is there.
func replay() scenario.Handler {
	var m *model
	var s state
	return func(c scenario.Command) (string, error) {
		if c.Name == "world" {
			w, err := parseWorld(c.Args)
			if err != nil {
				return "", err
			}
			m = newModel(w)
			m.talk = true
			s = m.start()
			return "", nil
		}
		if m == nil {
			return "", fmt.Errorf("the first command is world")
		}
		switch c.Name {
		case "server":
			return m.showView(s.server().view) + "\n", nil
		case "shows":
			return m.showView(s.at(s.writers[0].seen).view) + "\n", nil
		}
		at := slices.IndexFunc(m.actions(&s), func(a action) bool {
			return m.print(a) == strings.Join(append([]string{c.Name}, c.Args...), " ")
		})
		if at < 0 {
			return "", fmt.Errorf("%s %s is not possible here", c.Name, strings.Join(c.Args, " "))
		}
		n, out := m.do(&s, m.actions(&s)[at])
		s = n
		if out.text == "done" {
			return "", nil
		}
		return out.text + "\n", nil
	}
}
