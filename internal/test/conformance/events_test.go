package conformance

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/internal/test/sim"
)

// history lets a world live for a while, with one side or the other in charge of its slices, and
// ends with changes that no side has answered yet.
func history(t *rapid.T) *Cluster {
	w := newWorld(t)
	server := &sim.Server{}
	for range rapid.IntRange(0, 3).Draw(t, "epochs") {
		w.sync(server)
		for range rapid.IntRange(1, 3).Draw(t, "events") {
			w.event()
		}
	}
	w.c.Slices = server.List()
	for range pick(t, "tampering", 0, 0, 1, 2) {
		w.tamper()
	}
	if chance(t, 12, "terminating") {
		w.c.Service.DeletionTimestamp = ptr(metav1.Unix(1_790_000_000, 0))
	}
	w.tick()
	return w.c
}

// sync applies what a side writes, until the API server refuses something.
func (w *world) sync(server *sim.Server) {
	w.c.Slices = server.List()
	var writes []Write
	if chance(w.t, 2, "slicewright in charge") {
		var err error
		if writes, _, err = Slicewright(w.c); err != nil {
			w.t.Fatal(err)
		}
	} else {
		writes, _ = NewReference(w.c).Plan(w.c)
	}
	_ = Publish(server, writes) // what is refused stays out, as on a cluster
}

// event changes something of the Service, its Pods or the Nodes.
func (w *world) event() {
	t := w.t
	switch rapid.IntRange(0, 19).Draw(t, "event") {
	case 0, 1, 2:
		for range rapid.IntRange(1, 6).Draw(t, "more") {
			w.addPod()
		}
	case 3, 4:
		for range rapid.IntRange(1, 5).Draw(t, "fewer") {
			w.removePod()
		}
	case 5, 6, 7:
		w.removePod()
		w.addPod()
	case 8, 9:
		if pod := w.somePod(); pod != nil {
			w.condition(pod, chance(t, 2, "ready"))
		}
	case 10:
		if pod := w.somePod(); pod != nil {
			w.terminate(pod)
		}
	case 11, 12:
		w.ports()
	case 13:
		w.relabel()
	case 14:
		w.distribute()
	case 15:
		w.families()
		w.ports()
	case 16:
		w.c.Max = pick(t, "new max", 2, 1, 3, 4, 100)
	case 17:
		w.addNode()
	case 18:
		w.loseNode()
	case 19:
		w.serviceEvent()
	}
}

func (w *world) serviceEvent() {
	if chance(w.t, 2, "born again") {
		w.newService()
		return
	}
	spec := &w.c.Service.Spec
	spec.PublishNotReadyAddresses = !spec.PublishNotReadyAddresses
}

// somePod draws a Pod and puts a copy in its place, which may be changed.
func (w *world) somePod() *corev1.Pod {
	if len(w.c.Pods) == 0 {
		return nil
	}
	i := rapid.IntRange(0, len(w.c.Pods)-1).Draw(w.t, "pod")
	w.c.Pods[i] = w.c.Pods[i].DeepCopy()
	return w.c.Pods[i]
}

func (w *world) removePod() {
	if pod := w.somePod(); pod != nil {
		w.c.Pods = slices.DeleteFunc(slices.Clone(w.c.Pods), func(p *corev1.Pod) bool { return p == pod })
	}
}

func (w *world) loseNode() {
	if w.nodes > 0 {
		delete(w.c.Nodes, fmt.Sprintf("node-%d", rapid.IntRange(1, w.nodes).Draw(w.t, "lost node")))
	}
}

// tamper does to a slice what others may do.
func (w *world) tamper() {
	t := w.t
	if len(w.c.Slices) == 0 {
		return
	}
	s := pick(t, "slice", w.c.Slices...)
	switch rapid.IntRange(0, 11).Draw(t, "tampering with") {
	case 0:
		if s.Labels["example.com/other"] = "label"; chance(t, 2, "remove") {
			delete(s.Labels, "team")
		}
	case 1:
		if _, ok := s.Labels[corev1.IsHeadlessService]; ok {
			delete(s.Labels, corev1.IsHeadlessService)
		} else {
			s.Labels[corev1.IsHeadlessService] = ""
		}
	case 2:
		s.Labels[discoveryv1.LabelManagedBy] = "other.example.com"
	case 3:
		s.DeletionTimestamp, s.Finalizers = ptr(metav1.Unix(1, 0)), []string{"example.com/wait"}
	case 4:
		s.OwnerReferences = nil
	case 5:
		for i := range s.OwnerReferences {
			s.OwnerReferences[i].UID = "service-0"
		}
	case 6:
		for i := range s.OwnerReferences {
			s.OwnerReferences[i].BlockOwnerDeletion = nil
		}
	case 7:
		w.duplicate(s)
	case 8:
		s.Endpoints = nil
	case 9, 10, 11:
		w.tamperEndpoint(s)
	}
}

// duplicate adds a slice that holds the same, as a create that was sent twice leaves it.
func (w *world) duplicate(s *discoveryv1.EndpointSlice) {
	again := s.DeepCopy()
	again.Name, again.UID, again.ResourceVersion = s.Name+"-again", s.UID+"-again", s.ResourceVersion+"1"
	if !slices.ContainsFunc(w.c.Slices, func(s *discoveryv1.EndpointSlice) bool { return s.Name == again.Name }) {
		w.c.Slices = append(w.c.Slices, again)
	}
}

func (w *world) tamperEndpoint(s *discoveryv1.EndpointSlice) {
	t := w.t
	if len(s.Endpoints) == 0 {
		return
	}
	e := &s.Endpoints[rapid.IntRange(0, len(s.Endpoints)-1).Draw(t, "endpoint")]
	switch rapid.IntRange(0, 6).Draw(t, "tampering with endpoint") {
	case 0:
		e.Hints = pick(t, "hint", nil, &discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: "a"}}},
			&discoveryv1.EndpointHints{ForZones: []discoveryv1.ForZone{{Name: "b"}, {Name: "a"}},
				ForNodes: []discoveryv1.ForNode{{Name: "node-1"}}})
	case 1:
		e.Conditions.Ready = pick(t, "ready", nil, ptr(false), ptr(true))
	case 2:
		e.Conditions.Serving, e.Conditions.Terminating = nil, nil
	case 3:
		e.Zone = pick(t, "zone", nil, ptr("a"))
	case 4:
		if e.TargetRef != nil {
			e.TargetRef.ResourceVersion = "7"
		}
	case 5:
		if e.TargetRef != nil {
			e.TargetRef.UID = "uid"
		}
	case 6:
		s.Endpoints = append(s.Endpoints, *e.DeepCopy())
	}
}
