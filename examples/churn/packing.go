package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/slicewright/slicewright/slicer"
)

const compact = slicer.Compact

// packing is a packing with its options, written as in Compact@50.
type packing struct {
	slicer.Packing
	upTo int // percent of the maximum that a slice may hold to be dissolved; 0: 100
}

var inPlace = packing{Packing: slicer.InPlace}

var packingForm = regexp.MustCompile(`^([A-Za-z]+)(?:@(\d{1,3}))?$`)

func parsePacking(text string) (packing, error) {
	var p packing
	parts := packingForm.FindStringSubmatch(text)
	if parts == nil {
		return p, unknownPacking(text)
	}
	switch name := strings.ToLower(parts[1]); name {
	case "inplace":
	case strings.ToLower(string(compact)):
		p.Packing = compact
	default:
		return p, unknownPacking(text)
	}
	p.upTo, _ = strconv.Atoi(parts[2])
	if p.Packing != compact && p != inPlace {
		return p, fmt.Errorf("%q: only Compact takes @", text)
	}
	if p.upTo > 100 {
		return p, fmt.Errorf("%q: want 1 to 100 percent", text)
	}
	return p, nil
}

func unknownPacking(text string) error {
	return fmt.Errorf("%q: want InPlace, Compact or Compact@50", text)
}

func (p packing) String() string {
	text := string(p.Packing)
	if p.Packing == slicer.InPlace {
		text = "InPlace"
	}
	if p.upTo > 0 {
		text += fmt.Sprintf("@%d", p.upTo)
	}
	return text
}

// variant is what is compared: a packing at a size.
type variant struct {
	packing packing
	size    int
}

// variants lists them, the packings of one size together.
func (c config) variants() []variant {
	var list []variant
	for _, size := range c.sizes {
		for _, p := range c.packings {
			list = append(list, variant{p, size})
		}
	}
	return list
}

func (v variant) options() slicer.Options {
	return slicer.Options{
		MaxEndpointsPerSlice: v.size, Packing: v.packing.Packing, DissolveUpTo: v.packing.upTo,
	}
}
