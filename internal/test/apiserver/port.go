package apiserver

import (
	"fmt"
	"net"
)

// freePort returns a port of 127.0.0.1 that nobody listens on, now.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// vacant returns an error if nobody can listen on the port of 127.0.0.1.
func vacant(port int) error {
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return fmt.Errorf("the API server cannot have port %d: %w", port, err)
	}
	return l.Close()
}
