package packing_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/slicewright/slicewright/internal/test/nightly"
	"github.com/slicewright/slicewright/internal/trace"
	. "github.com/slicewright/slicewright/slicer/internal/packing"
)

// filling is a rule for the slices that get new endpoints: it chooses anew what Place chose.
type filling struct {
	name  string
	order func(a, b held) int // of written slices; nil: as Place chooses
	level bool                // endpoints go to the emptiest one by one
	clean bool                // of clean slices the emptiest are opened
}

func fuller(a, b held) int {
	return cmp.Or(cmp.Compare(len(b.pods), len(a.pods)), cmp.Compare(a.number, b.number))
}
func older(a, b held) int { return cmp.Compare(a.number, b.number) }
func emptier(a, b held) int {
	return cmp.Or(cmp.Compare(len(a.pods), len(b.pods)), cmp.Compare(a.number, b.number))
}

var fillings = []filling{
	{name: "fullest", order: fuller},
	{name: "fewest"},
	{name: "emptiest", order: emptier},
	{name: "oldest", order: older},
	{name: "evenly", order: emptier, level: true},
	{name: "fewest, clean emptiest", clean: true},
}

// held is a slice in TestFilling.
type held struct {
	number  int // of its creation
	pods    map[int]bool
	written bool
}

// service is one group over time, by the numbers of its Pods.
type service struct {
	Limits
	filling
	upTo    int // for Join; 0: in place
	slices  []*held
	at      map[int]*held
	created int

	writes, bytes int
	multiple      float64 // slices, as a multiple of the fewest, added up over all rounds
}

// Bytes that a write sends to a watcher, as in examples/churn.
const ofSlice, ofEndpoint = 297, 126

// play plays a round as a controller does.
func (s *service) play(r trace.Round) {
	var unassigned []int
	for _, pod := range slices.Concat(r.Ready, r.Unready) {
		if at := s.at[pod]; at != nil {
			at.written = true
		} else {
			unassigned = append(unassigned, pod)
		}
	}
	for _, pod := range r.Gone {
		s.at[pod].written = true
		delete(s.at[pod].pods, pod)
		delete(s.at, pod)
	}
	p := Problem{Limits: s.Limits, Groups: []Group{{len(unassigned)}}}
	for _, at := range s.slices {
		of := Slice{Homes: len(at.pods), Written: at.written}
		if len(at.pods) == 0 {
			of = Slice{Group: None}
		}
		p.Slices = append(p.Slices, of)
	}
	if s.upTo > 0 {
		joined := Join(p, s.upTo)
		p = joined.Problem
		for _, i := range joined.Dissolved {
			for pod := range s.slices[i].pods {
				unassigned = append(unassigned, pod)
			}
			s.slices[i].pods, s.slices[i].written = map[int]bool{}, true
		}
	}
	slices.Sort(unassigned)
	s.deal(p, unassigned)
	s.count()
}

// deal places Pods as Place says, or as the rule does.
func (s *service) deal(p Problem, unassigned []int) {
	d := Place(p, func() []Overlap { return nil })[0]
	put := func(at *held, pods int) {
		for range min(pods, len(unassigned), s.Max-len(at.pods)) {
			at.pods[unassigned[0]], s.at[unassigned[0]], at.written = true, at, true
			unassigned = unassigned[1:]
		}
	}
	choose := func(written bool, order func(a, b held) int) (list []*held) {
		for i, of := range p.Slices {
			if of.Group != None && of.Written == written && of.Homes < s.Max {
				list = append(list, s.slices[i])
			}
		}
		slices.SortFunc(list, func(a, b *held) int { return order(*a, *b) })
		return list
	}
	var list []*held
	for _, i := range d.Written {
		list = append(list, s.slices[i])
	}
	if s.order != nil {
		list = choose(true, s.order)
	}
	for s.level && len(unassigned) > 0 && len(list) > 0 {
		at := slices.MinFunc(list, func(a, b *held) int { return emptier(*a, *b) })
		if len(at.pods) == s.Max {
			break
		}
		put(at, 1)
	}
	if s.clean {
		list = append(list, choose(false, emptier)[:len(d.Opened)]...)
		d.Opened = nil
	}
	for _, i := range slices.Concat(d.Opened, d.Reused) {
		list = append(list, s.slices[i])
	}
	for range d.Created {
		s.created++
		s.slices = append(s.slices, &held{number: s.created, pods: map[int]bool{}})
		list = append(list, s.slices[len(s.slices)-1])
	}
	for _, at := range list {
		put(at, s.Max)
	}
	if len(unassigned) > 0 {
		panic("Pods without a place")
	}
}

// count counts what was written, and deletes empty slices.
func (s *service) count() {
	for _, at := range s.slices {
		if at.written {
			s.writes++
			s.bytes += ofSlice + ofEndpoint*len(at.pods)
		}
		at.written = false
	}
	s.slices = slices.DeleteFunc(s.slices, func(at *held) bool { return len(at.pods) == 0 })
	s.multiple += float64(max(1, len(s.slices))) / float64(max(1, (len(s.at)+s.Max-1)/s.Max))
}

// costs are those of a rule in one row, by seed and rule added up.
type costs [3]float64 // writes, slices, bytes

func (c costs) over(other costs) (percent costs) {
	for i := range c {
		percent[i] = 100 * (c[i] - other[i]) / other[i]
	}
	return percent
}

// TestFilling compares rules for which slices get new endpoints, over time. The rule of Place sends fewer bytes in a rolling update
// in place than the fullest first, and costs at most 2% more writes and 5% more slices anywhere. testdata/churn/filling.md has what
//
//	SLICEWRIGHT_CASES=40 go test ./slicer/internal/packing -run TestFilling -v
//
// prints, with forty seeds for each row.
func TestFilling(t *testing.T) {
	seeds := nightly.Cases(t, 1)
	var table strings.Builder
	worst, sum, rows := make([]costs, len(fillings)), make([]costs, len(fillings)), 0
	for _, most := range []int{100, 1000} {
		for _, pods := range []int{1, 3, 10, 30, 100, 150, 200, 300, 500, 1000, 2000, 5000} {
			if seeds == 1 && pods > 1000 {
				continue
			}
			for _, m := range trace.Makers {
				for _, upTo := range []int{0, 50, 100} {
					row := compareFillings(m, pods, most, upTo*most/100, seeds)
					changes := make([]costs, len(row))
					differ := false
					for i := range row {
						changes[i] = row[i].over(row[0])
						differ = differ || changes[i] != costs{}
						for k, percent := range changes[i] {
							worst[i][k] = max(worst[i][k], percent)
						}
					}
					if !differ {
						continue
					}
					rows++
					for i, c := range changes {
						for k := range c {
							sum[i][k] += c[k]
						}
					}
					name := fmt.Sprintf("%d of %d, %s, %s", pods, most, m.Name, [...]string{"in place", "Compact@50", "Compact"}[upTo/50])
					fmt.Fprintf(&table, "| %s |", name)
					for i, c := range changes[1:] {
						fmt.Fprintf(&table, " %+.1f %+.1f %+.1f |", c[0], c[1], c[2])
						if fillings[i+1].name != "fewest" {
							continue
						}
						if m.Name == "rolling-update" && upTo == 0 && pods == 1000 && most == 100 && c[2] > -6 {
							t.Errorf("%s: %+.1f%% bytes, want at least 6%% fewer", name, c[2])
						}
						if seeds >= 40 && (c[0] > 2 || c[1] > 5) { // of few seeds some have a slice more or less by chance
							t.Errorf("%s: %+.1f%% writes and %+.1f%% slices", name, c[0], c[1])
						}
					}
					table.WriteString("\n")
				}
			}
		}
	}
	var means string
	for i, f := range fillings[1:] {
		w, m := worst[i+1], sum[i+1]
		means += fmt.Sprintf("| %s | %+.1f %+.1f %+.1f | %+.1f %+.1f |\n", f.name, m[0]/float64(rows), m[1]/float64(rows), m[2]/float64(rows), w[0], w[1])
	}
	t.Logf("%d seeds\n%s\n%s", seeds, means, table.String())
}

// compareFillings plays a trace with all rules, and adds up over the seeds.
func compareFillings(m trace.Maker, pods, most, upTo, seeds int) []costs {
	row := make([]costs, len(fillings))
	for seed := range seeds {
		history := m.Make(pods, int64(seed+1))
		for i, f := range fillings {
			s := &service{Limits: Limits{Max: most}, filling: f, upTo: upTo, at: map[int]*held{}}
			for _, r := range history.Rounds {
				s.play(r)
			}
			row[i][0] += float64(s.writes)
			row[i][1] += s.multiple / float64(len(history.Rounds))
			row[i][2] += float64(s.bytes)
		}
	}
	return row
}
