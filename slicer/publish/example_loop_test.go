package publish_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
)

// The program of the package comment. The second call is too early, because the cache does not show
// the slice of the first one yet.
func Example() {
	c := newCluster(nil, services.Options{ManagedBy: "slices.example.com"})
	nodes := []*corev1.Node{{ObjectMeta: metav1.ObjectMeta{Name: "node-1"}},
		{ObjectMeta: metav1.ObjectMeta{Name: "node-2"}}}
	fmt.Println(Sync(context.Background(), c.Syncer, service("web"), pods(1), nodes), c.requests())
	err := Sync(context.Background(), c.Syncer, service("web"), pods(1, 2), nodes)
	fmt.Println(err, errors.Is(err, publish.ErrWait))
	c.show()
	fmt.Println(Sync(context.Background(), c.Syncer, service("web"), pods(1, 2), nodes), c.requests())
	// Output:
	// <nil> create web-jzl0q9xx-ipv4
	// publish: call again soon: the cache does not show yet version 1 of slice shop/web-jzl0q9xx-ipv4 true
	// <nil> update web-jzl0q9xx-ipv4
}

func Sync(ctx context.Context, s *publish.Syncer, svc *corev1.Service, pods []*corev1.Pod, nodes []*corev1.Node) error {
	plan, err := s.Pods(ctx, svc, pods, services.NodesByName(nodes))
	if warnings := plan.Warnings(); len(warnings) > 0 {
		log.Print(warnings) // what is not published, and why; everything else is published
	}
	if mistake := (*field.Error)(nil); errors.As(err, &mistake) {
		log.Print(err) // a mistake in the Service or the options: only a change of them helps
		return nil
	}
	return err // ErrWait: call again soon; any other error: call again with back-off
}
