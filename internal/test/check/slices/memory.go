package slices

import (
	"fmt"

	"github.com/slicewright/slicewright/internal/test/check/memory"
	"github.com/slicewright/slicewright/internal/test/given"
	"github.com/slicewright/slicewright/slicer"
)

// Memory checks that new objects and the Skips share no memory with the input or with each other, and no two parts of one
// share any (G8). Plans of several calls are looked at together: what they share is a variable of the package. What the error of a
// Skip points to is not looked at, because it wraps the caller's own.
func Memory(in given.World, plans ...slicer.Plan) error {
	var news []memory.Value
	for i, plan := range plans {
		news = append(news, memory.Value{Owner: fmt.Sprintf("the Skips of plan %d", i), Of: &plan.Skips})
		for j := range plan.Steps {
			if n := plan.Steps[j].New; n != nil {
				news = append(news, memory.Value{Owner: fmt.Sprintf("plan %d step %d", i, j), Of: n})
			}
		}
	}
	if a, b, shared := memory.Shared(memory.Value{Owner: "the input", Of: &in}, news...); shared {
		return fmt.Errorf("G8: %s and %s share memory", a, b)
	}
	return nil
}
