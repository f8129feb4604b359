package deduptest_test

import (
	"fmt"
	"testing"

	"github.com/slicewright/slicewright/dedup/deduptest"
	"github.com/slicewright/slicewright/internal/test/nightly"
)

func TestMyReader(t *testing.T) {
	nightly.Slow(t)
	deduptest.Run(t, deduptest.Options{}, func() deduptest.Reader {
		r := newMyReader()
		return deduptest.Reader{
			Event: func(e deduptest.Event) { r.handle(e.Old, e.New) },
			See:   func() []deduptest.Seen { return r.endpoints() },
		}
	})
}

// A reader takes the old endpoints of a slice out of a map and puts the new ones in. So it loses
// endpoints that move.
func ExampleCheck() {
	findings, err := deduptest.Check(deduptest.Options{ShowsAll: true, Histories: 400}, subtractAndAdd)
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(findings[0])
	// Output:
	// all: an endpoint that a slice holds is seen
	//   1. slice web-a is created
	//       added shop/web-a of web ipv4 rv=1 | http:8080 | 10.0.0.1{pod=pod-1} 10.0.0.2{pod=pod-2}
	//   2. 10.0.0.1 moves from slice web-a to web-b, copied first
	//       added shop/web-b of web ipv4 rv=2 | http:8080 | 10.0.0.1{pod=pod-1}
	//       updated shop/web-a of web ipv4 rv=3 | http:8080 | 10.0.0.2{pod=pod-2}
	//       ! not seen: shop/web:http/TCP 10.0.0.1:8080
	//   seen: shop/web:http/TCP 10.0.0.2:8080 ready
	//   cause: "all: not seen: …"
	//   broken in 35 of 400 histories; this one alone: -deduptest.replay="web-a / move-copied-first"
}
