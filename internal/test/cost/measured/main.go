// Measured makes one call of the library with an input of a size, and prints how many bytes the
// call allocated. Built with -cover it leaves behind how often each statement ran.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"

	"github.com/slicewright/slicewright/internal/test/cost"
)

func main() {
	n, err := strconv.Atoi(os.Args[2])
	if err != nil {
		panic(err)
	}
	call := cost.Cases()[os.Args[1]](n)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	fmt.Println(after.TotalAlloc - before.TotalAlloc)
}
