package main

import "sync"

// work does things at the same time, up to a number, and keeps the first error.
type work struct {
	group sync.WaitGroup
	slots chan struct{}
	mutex sync.Mutex
	err   error
	ready map[string]chan struct{} // of those that others wait for
}

func newWork(most int) *work {
	return &work{slots: make(chan struct{}, most), ready: map[string]chan struct{}{}}
}

// do starts f as soon as there is room for it.
func (w *work) do(f func() error) {
	w.slots <- struct{}{}
	w.group.Go(func() {
		defer func() { <-w.slots }()
		if err := f(); err != nil {
			w.mutex.Lock()
			defer w.mutex.Unlock()
			if w.err == nil {
				w.err = err
			}
		}
	})
}

// after starts f, called name, once the one called before is over, if there is one.
func (w *work) after(before, name string, f func() error) {
	done, wait := make(chan struct{}), w.ready[before]
	w.ready[name] = done
	w.do(func() error {
		defer close(done)
		if wait != nil {
			<-wait
		}
		return f()
	})
}

func (w *work) wait() error {
	w.group.Wait()
	return w.err
}
