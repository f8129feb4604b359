package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/slicewright/slicewright/internal/test/bench"
	"github.com/slicewright/slicewright/internal/test/conformance"
)

// factors is one row of the table of factors: after a change, of one Service in a loop or of many
// in turn, how many times as long as the floor a sync takes (bench.Floor).
type factors struct {
	name   string
	change bench.Change
	turns  bool
	bars   [3]float64 // the most that the median of a factor is meant to be, by factorSizes
	cells  [3]factor
}

// factorSizes are the numbers of Pods, by column.
var factorSizes = [3]int{3, 100, 1000}

// factor has the figures of a sync and of the floor, one for each run. They were measured in turn
// in the same process.
type factor struct{ sync, floor []conformance.Figures }

// times returns how many times as long as the floor a sync takes, for each run.
func (f factor) times() []float64 { return ratios(f.sync, f.floor) }

func newFactors() []factors {
	return []factors{
		{name: "nothing, one Service in a loop", change: bench.Nothing, bars: [3]float64{12, 4, 3.4}},
		{name: "nothing, many Services in turn", change: bench.Nothing, turns: true, bars: [3]float64{7, 3, 3}},
		{name: "one Pod, one Service in a loop", change: bench.OnePod, bars: [3]float64{4, 3, 3}},
		{name: "one Pod, many Services in turn", change: bench.OnePod, turns: true, bars: [3]float64{4, 3, 3}},
	}
}

// measureFactors measures all factors. Even with -short a cell gets nine rounds of some
// milliseconds, because its bar is checked.
func (o *options) measureFactors() []factors {
	rows := newFactors()
	for column, pods := range factorSizes {
		fleet := bench.Services(bench.Many(pods), pods, "")
		for i := range rows {
			all := fleet[:1]
			if rows[i].turns {
				all = fleet
			}
			operations := factorOperations(all.After(rows[i].change))
			for range o.runs {
				f := conformance.Measure(max(9, o.rounds), max(3*time.Millisecond, o.round/3), operations[0],
					operations[1])
				cell := &rows[i].cells[column]
				cell.sync = append(cell.sync, f[0])
				cell.floor = append(cell.floor, f[1])
			}
		}
	}
	return rows
}

// factorOperations are a sync of the next Service by the library, and by the floor.
func factorOperations(all []*bench.Sync) [2]func() {
	var floor bench.Floor
	return [2]func(){
		inTurn(all, func(s *bench.Sync) bool {
			plan, err := s.Plan()
			return err == nil && len(plan.Steps) > 0
		}),
		inTurn(all, func(s *bench.Sync) bool { return floor.Sync(s) != nil }),
	}
}

func inTurn(all []*bench.Sync, writes func(s *bench.Sync) bool) func() {
	next := 0
	return func() {
		s := all[next]
		if next++; next == len(all) {
			next = 0
		}
		if writes(s) != (s.Change != bench.Nothing) {
			panic(fmt.Sprint(s.Change, " changed, and this is not what is planned"))
		}
	}
}

// check returns an error for each factor that is more than half as much again above its bar.
// Factors vary with the load of the machine, so the bar itself decides nothing.
func (f *factors) check() error {
	var errs []error
	for column, cell := range f.cells {
		if most := 1.5 * f.bars[column]; median(cell.times()) > most {
			errs = append(errs, fmt.Errorf("%s, %d Pods: %.1f times the floor of %s, want at most %.1f",
				f.name, factorSizes[column], median(cell.times()), duration(medianTime(cell.floor)), most))
		}
	}
	return errors.Join(errs...)
}

// factorTable is the table of factors.
func factorTable(rows []factors) string {
	header := []string{"changed"}
	for _, pods := range factorSizes {
		header = append(header, count(pods)+" Pods")
	}
	var text [][]string
	for _, row := range rows {
		cells := []string{row.name}
		for _, cell := range row.cells {
			cells = append(cells, fmt.Sprintf("%s of %s", spread(cell.times(), oneDigit),
				duration(medianTime(cell.floor))))
		}
		text = append(text, cells)
	}
	return table(header, text)
}
