package services_test

import (
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/slicer/services"
)

// TestPlansAtOnce: plans of the same objects, made at the same time, are equal. Under the race
// detector it shows what calls share through their pools, and what they write into their inputs.
func TestPlansAtOnce(t *testing.T) {
	svc, o := aService(), services.Options{ManagedBy: manager}
	var pods []*corev1.Pod
	for i := range 40 {
		pods = append(pods, aPod(i+1))
	}
	first, err := services.Plan(svc, pods[:30], nodes, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	existing := first.After()
	made := make([]string, 8)
	var all sync.WaitGroup
	for i := range made {
		all.Add(1)
		go func() {
			defer all.Done()
			for range 20 {
				plan, err := services.Plan(svc, pods[10:], nodes, existing, o)
				if made[i] = plan.String(); err != nil {
					made[i] = err.Error()
				}
			}
		}()
	}
	all.Wait()
	for _, text := range made {
		if text != made[0] {
			t.Errorf("one is\n%s\nand another\n%s", made[0], text)
		}
	}
}
