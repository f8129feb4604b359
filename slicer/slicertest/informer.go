package slicertest

import (
	"reflect"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/internal/test/kit"
)

// This file has what the writer sees, and what it should publish.

// wanted returns the endpoints that the slices must hold when all is quiet.
func (r *replay) wanted() []Want {
	w := r.shownCluster()
	if w.deleted || !w.isManaged() {
		return nil
	}
	return r.kit.Want(State{Service: w.service, Pods: w.pods, Nodes: r.cluster.nodes, Own: r.own()})
}

// shownCluster has the Service for which the writer is called, and its Pods.
func (r *replay) shownCluster() *cluster {
	if r.visiting {
		return r.cluster.beside
	}
	return r.cluster
}

// state returns the objects that the informers show.
func (r *replay) state() State {
	w, cache := r.shownCluster(), &r.cache
	if r.visiting {
		cache = &r.beside
	}
	s := State{
		Key:     types.NamespacedName{Namespace: w.service.Namespace, Name: w.service.Name},
		Nodes:   shown(r.informer, r.cluster.nodes...),
		Slices:  append(shown(r.informer, r.cache.Originals()...), shown(r.informer, r.beside.Originals()...)...),
		Deleted: r.mine(cache.Deleted()),
	}
	if !w.deleted {
		s.Service = shown(r.informer, w.service)[0]
		if w.service.Spec.Selector != nil {
			s.Pods = shown(r.informer, w.pods...)
		}
	}
	if r.flip != (r.syncs%2 == 0) {
		slices.Reverse(s.Pods)
		slices.Reverse(s.Nodes)
		slices.Reverse(s.Slices)
	}
	s.Own = r.mine(slices.Clone(s.Slices))
	return s
}

// mine removes from a list all slices that are not the writer's for the Service that it is called
// for.
func (r *replay) mine(list []*discoveryv1.EndpointSlice) []*discoveryv1.EndpointSlice {
	return slices.DeleteFunc(list, func(s *discoveryv1.EndpointSlice) bool { return !r.isMine(s) })
}

func (r *replay) isMine(s *discoveryv1.EndpointSlice) bool {
	return r.kit.ours(s) && (s.Namespace == otherNamespace) == r.visiting
}

// informer maps each object to the copy of it that the writer gets. An object always has the same
// copy, and the writer must not change it.
type informer map[runtime.Object]runtime.Object

func shown[T runtime.Object](in informer, list ...T) (copies []T) {
	for _, o := range list {
		if in[o] == nil {
			in[o] = o.DeepCopyObject()
		}
		copies = append(copies, in[o].(T))
	}
	return copies
}

// judgePure reports syncs that have changed an object that they were given. A changed copy is not
// shown again, so that the change hides no other fault.
func (r *replay) judgePure() {
	for o, c := range r.informer {
		if !reflect.DeepEqual(o, c) {
			r.log.Fail("pure", "a sync has changed %s %s: %s", kit.Word(reflect.TypeOf(o).Elem().Name()),
				o.(metav1.Object).GetName(), kit.Difference(o, c))
			delete(r.informer, o)
		}
	}
}

// own returns copies of the writer's slices on the server.
func (r *replay) own() (list []*discoveryv1.EndpointSlice) {
	from := r.api.server
	if r.visiting {
		from = r.api.elsewhere
	}
	for _, s := range from.Originals() {
		if r.owns(s) {
			list = append(list, s.DeepCopy())
		}
	}
	return list
}

// owns reports whether a slice is one of the writer's and is not being deleted.
func (r *replay) owns(s *discoveryv1.EndpointSlice) bool {
	return r.isMine(s) && r.people.kept[s.Name] == nil && s.DeletionTimestamp == nil
}

// drift makes the cache show some of the missing writes, slice by slice in any order. It always
// shows writes that are more than three writes old.
func (r *replay) drift() {
	for n := r.drifts.IntN(3); ; n-- {
		late := r.cache.Behind()
		if len(late) == 0 || n <= 0 && r.api.server.Writes()-r.cache.Horizon() < 3 {
			break
		}
		r.cache.Step(late[r.drifts.IntN(len(late))])
	}
}

// visit calls the writer for the Service of the same name in the other namespace, if there is one,
// until all is quiet, and judges its slices.
func (r *replay) visit() {
	if r.cluster.beside == nil || r.ended {
		return
	}
	r.visiting = true
	defer func() { r.visiting = false }()
	writes, err := 1, error(nil)
	for n := 0; n < patience && (writes > 0 || err != nil) && !r.ended; n++ {
		r.beside.CatchUp()
		writes, err = r.round()
	}
	switch {
	case r.ended:
	case err != nil && !r.cluster.beside.lacksNode(r.cluster.nodes):
		r.log.Fail("converges", "after %d syncs of the Service in namespace bank: %s", patience, kit.Word(cause(err)))
	case writes > 0:
		r.log.Fail("fixed-point", "after %d syncs of the Service in namespace bank it still writes", patience)
	default:
		r.judgeComplete()
	}
}
