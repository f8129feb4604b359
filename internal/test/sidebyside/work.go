package main

import "golang.org/x/sync/errgroup"

// work does things at the same time, up to a number, and keeps the first error.
type work struct {
	errgroup.Group
	ready map[string]chan struct{} // of those that others wait for
}

func newWork(most int) *work {
	w := &work{ready: map[string]chan struct{}{}}
	w.SetLimit(most)
	return w
}

// after starts f, called name, once the one called before is over, if there is one.
func (w *work) after(before, name string, f func() error) {
	done, wait := make(chan struct{}), w.ready[before]
	w.ready[name] = done
	w.Go(func() error {
		defer close(done)
		if wait != nil {
			<-wait
		}
		return f()
	})
}
