package main

import (
	"fmt"

	"github.com/slicewright/slicewright/internal/test/conformance"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// row is a case of the table.
type row struct {
	name    string
	seeds   int // from 1 to this
	make    func(seed int64) history
	most    int  // endpoints in a slice; 0: 100
	compact bool // Slicewright packs Compact; Kubernetes has no such option
}

// rows lists all cases.
func rows() []row {
	list := []row{
		{name: "rolling cluster, 300 Pods, hints", seeds: 10, make: rolling(300, 500, true)},
		{name: "rolling cluster, 300 Pods", seeds: 10, make: rolling(300, 500, false)},
		{name: "rolling cluster, 3 000 Pods", seeds: 2, make: rolling(3000, 200, false)},
		{name: "rolling cluster, 300 Pods, Compact", seeds: 5, make: rolling(300, 500, false), compact: true},
	}
	list = append(list, traces()...)
	list = append(list, rollouts()...)
	return append(list, replacements()...)
}

// traces are those of examples/churn.
func traces() (list []row) {
	for _, name := range []string{"rolling-update", "day-and-night", "spot", "crash", "flapping"} {
		list = append(list, row{name: "churn's " + name + ", 300 Pods", seeds: 2, make: traced(name, 300)})
	}
	return append(list,
		row{name: "churn's rolling-update, 2 000 Pods", seeds: 1, make: traced("rolling-update", 2000)},
		row{name: "churn's rolling-update, 2 000 Pods, Compact", seeds: 1, make: traced("rolling-update", 2000),
			compact: true},
		row{name: "churn's crash, 2 000 Pods", seeds: 1, make: traced("crash", 2000)},
	)
}

// rollouts are Deployments whose Pods need some time to start and to stop, and Services that are
// scaled.
func rollouts() (list []row) {
	for _, r := range []struct {
		what    string
		rollout rollout
		seeds   int
	}{
		{"1% a step", rollout{300, 25, 25, 3}, 3},
		{"1% a step", rollout{2000, 25, 25, 20}, 1},
		{"0.25% a step", rollout{2000, 25, 25, 5}, 1},
		{"surge 25% at once", rollout{300, 25, 0, 300}, 10},
		{"surge 25% at once", rollout{2000, 25, 0, 2000}, 5},
		{"one by one", rollout{300, 25, 25, 1}, 2},
	} {
		list = append(list, row{name: fmt.Sprintf("rollout, %s, %d Pods", r.what, r.rollout.pods), seeds: r.seeds,
			make: r.rollout.play})
	}
	for _, pace := range []int{1, 10, 30} {
		list = append(list, row{name: fmt.Sprintf("scaling by %d%%, 300 Pods", pace), seeds: 2,
			make: scaling(300, 3*pace)})
	}
	return list
}

// replacements are Services whose Pods are replaced by ready ones, after a third has gone, so that
// slices have free places.
func replacements() (list []row) {
	for _, pods := range []int{30, 300, 1000, 2000} {
		list = append(list, row{name: fmt.Sprintf("up to 25%% replaced at once, %d Pods", pods), seeds: 2,
			make: churning(pods, upTo(pods/4))})
	}
	for _, perMille := range []int{5, 10, 15, 20, 50, 100, 250} {
		list = append(list, row{name: fmt.Sprintf("%g%% replaced at once, 1000 Pods", float64(perMille)/10), seeds: 2,
			make: churning(1000, exactly(perMille))})
	}
	for _, most := range []int{25, 1000} {
		for _, percent := range []int{1, 25} {
			list = append(list, row{name: fmt.Sprintf("%d%% replaced at once, 1000 Pods, slices of %d", percent, most),
				seeds: 2,
				make:  churning(1000, exactly(10*percent)), most: most})
		}
	}
	return list
}

// compact is the library with slices that are joined where they are written anyway.
func compact(c *conformance.Cluster) ([]conformance.Write, error) {
	writes, _, err := conformance.Slicewright(c, func(o *services.Options) { o.Slices.Packing = slicer.Compact })
	return writes, err
}
