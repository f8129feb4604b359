// Command prepare builds etcd and kube-apiserver into the user's cache directory, so that tests do
// not have to. It prints their paths.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"github.com/slicewright/slicewright/internal/test/conformance/apiserver"
)

func main() {
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "prepare: unexpected argument %q\n", flag.Arg(0))
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	for _, p := range apiserver.Programs() {
		path, err := apiserver.Binary(ctx, p)
		if err != nil {
			fmt.Fprintln(os.Stderr, "prepare:", err)
			os.Exit(1)
		}
		fmt.Println(path)
	}
}
