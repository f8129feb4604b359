package main

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"time"
)

// report measures, prints both pages, and writes or checks them as the options say.
func (o *options) report(out io.Writer) error {
	r, err := o.measure()
	if err != nil {
		return err
	}
	pages := r.pages()
	for _, p := range pages {
		if _, err := fmt.Fprintf(out, "# %s\n\n%s\n", p.file, p.text); err != nil {
			return err
		}
	}
	var errs []error
	for _, p := range pages {
		if o.write != "" {
			errs = append(errs, replaceIn(p.in(o.write), p.text))
		}
		if o.check != "" {
			errs = append(errs, checkIn(p.in(o.check), p.text))
		}
	}
	if o.check != "" {
		for i := range r.factors {
			errs = append(errs, r.factors[i].check())
		}
	}
	return errors.Join(errs...)
}

// pages are the tables of the README, which has the most important rows, and of the page that has
// all of them.
func (r *results) pages() []page {
	return []page{
		{"README.md", r.origin() + " The last column is Slicewright's time divided by that of the floor, a loop that " +
			"only compares endpoints and copies changed slices. A dash means that the floor was not measured." +
			"\n\n" + r.syncTable()},
		{".github/FIGURES.md", r.origin() + "\n\n" + r.allocationTable() + "\n## The floor\n\n" + r.factorText()},
	}
}

// origin says when, where and with what the figures were measured.
func (r *results) origin() string {
	return fmt.Sprintf("Measured on %s with %s, %s on %s/%s: processor time of planning one Service. "+
		"Times and ratios are medians of %d runs, with the smallest and the largest ratio in brackets.\n"+
		"Both libraries run in one process, alternately, on the same inputs. The cluster of the first row has %s "+
		"Services, of which six in ten have 1 to 3 Pods.",
		time.Now().UTC().Format(time.DateOnly), module("k8s.io/endpointslice"),
		runtime.Version(), runtime.GOOS, runtime.GOARCH, r.options.runs, count(r.options.services))
}

// module returns the path and version of a module that this program is built with.
func module(path string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == path {
				return m.Path + " " + m.Version
			}
		}
	}
	return path
}

// syncTable has the time of each operation, its ratio to Kubernetes' and its factor over the floor.
func (r *results) syncTable() string {
	var rows [][]string
	for _, m := range r.rows {
		floor := "-"
		if m.floor != nil {
			floor = fmt.Sprintf("%.1f", median(ratios(m.ours, m.floor)))
		}
		rows = append(rows, []string{m.name, duration(medianTime(m.theirs)), duration(medianTime(m.ours)),
			spread(ratios(m.theirs, m.ours), times), floor})
	}
	return table([]string{"one sync", "Kubernetes", "Slicewright", "ratio", "divided by the floor"}, rows)
}

// allocationTable has the allocations of each operation.
func (r *results) allocationTable() string {
	var rows [][]string
	for _, m := range r.rows {
		rows = append(rows, []string{m.name, figures(m.theirs[0]), figures(m.ours[0])})
	}
	return table([]string{"one sync", "Kubernetes", "Slicewright"}, rows)
}

// factorText explains the table of factors.
func (r *results) factorText() string {
	return "The [floor](../internal/test/bench/floor.go) compares each field of each endpoint of one IPv4 Service " +
		"with its slices, copies a slice that changes, and does nothing else. `4.0 of 19 µs` means that a sync " +
		"takes four times as long as the floor, which takes 19 µs. If one Service is synced in a loop, its data " +
		"stays in the caches of the processor. If many Services are synced one after the other, it does not.\n\n" +
		factorTable(r.factors)
}
