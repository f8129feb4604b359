package apiserver

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// running are the servers to close before a signal ends this process.
var running struct {
	sync.Mutex
	servers map[*Server]bool
	once    sync.Once
}

// register lets an interrupt close the server. The first server installs the handler, for good.
func register(s *Server) {
	running.Lock()
	defer running.Unlock()
	if running.servers == nil {
		running.servers = map[*Server]bool{}
	}
	running.servers[s] = true
	running.once.Do(func() {
		signals := make(chan os.Signal, 1)
		signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
		go func() { die(<-signals) }()
	})
}

func forget(s *Server) {
	running.Lock()
	defer running.Unlock()
	delete(running.servers, s)
}

// die closes all servers, and lets the signal do what it does to a process without a handler.
func die(signalled os.Signal) {
	running.Lock()
	var all []*Server
	for s := range running.servers {
		all = append(all, s)
	}
	running.Unlock()
	for _, s := range all {
		s.Close()
	}
	report("%v: everything that was started is stopped", signalled)
	signal.Reset(os.Interrupt, syscall.SIGTERM)
	if p, err := os.FindProcess(os.Getpid()); err != nil || p.Signal(signalled) != nil {
		os.Exit(1)
	}
	select {} // the signal comes
}
