package service_test

import (
	"errors"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/notation"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
)

// planFor derives and plans in one go, with stable names.
func planFor(
	t *testing.T, svc *corev1.Service, pods []*corev1.Pod, existing []*discoveryv1.EndpointSlice, o service.Options,
) slicer.Plan {
	t.Helper()
	in, err := service.Input(svc, pods, nodes, o)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := slicer.Compute(in, existing)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func wantSteps(t *testing.T, why string, plan slicer.Plan, creates, updates, deletes int) {
	t.Helper()
	s := plan.Stats()
	if s.Creates != creates || s.Updates != updates || s.Deletes != deletes {
		t.Errorf("%d creates, %d updates, %d deletes, want %d, %d, %d: %s\n%v",
			s.Creates, s.Updates, s.Deletes, creates, updates, deletes, why, plan)
	}
}

// TestPlanForAPortlessPod is vector 29: the endpoint without ports has a slice of its own, which is no placeholder and
// takes in nobody who has ports, and goes when the Pod's port resolves.
func TestPlanForAPortlessPod(t *testing.T) {
	svc := aService(withPorts(servicePort("http", 80, named("http"))))
	with, without := aPod(1, declares(containerPort("http", 8080))), aPod(2)

	placeholder := planFor(t, svc, nil, nil, service.Options{ManagedBy: manager}).After()
	plan := planFor(t, svc, []*corev1.Pod{with, without}, placeholder, service.Options{ManagedBy: manager})
	after := map[string]string{}
	for _, s := range plan.After() {
		after[notation.Ports(s.Ports)] += notation.Addresses(s.Endpoints[0].Addresses)
		if len(s.Endpoints) != 1 {
			t.Errorf("%d endpoints share ports %s", len(s.Endpoints), notation.Ports(s.Ports))
		}
	}
	if len(after) != 2 || after["http:8080"] != "10.0.0.1" || after["-"] != "10.0.0.2" {
		t.Errorf("after the plan: %v, want each Pod in a slice of its own\n%v", after, plan)
	}
	wantSteps(t, "the placeholder is taken for one of them", plan, 1, 1, 0)

	resolved := aPod(2, declares(containerPort("http", 8080)))
	plan = planFor(t, svc, []*corev1.Pod{with, resolved}, plan.After(), service.Options{ManagedBy: manager})
	endpoints := 0
	for _, s := range plan.After() {
		endpoints += len(s.Endpoints)
		if len(s.Ports) == 0 {
			t.Errorf("%s has no ports although every Pod has them now:\n%v", s.Name, plan)
		}
	}
	wantSteps(t, "the slice without ports takes those of its endpoint", plan, 0, 1, 0)
	if endpoints != 2 {
		t.Errorf("%d endpoints, want 2", endpoints)
	}
}

// TestPlanForPorts is vectors 27 and 28: what the ports of a Service become in slices.
func TestPlanForPorts(t *testing.T) {
	svc := aService(withPorts(servicePort("http", 80, named("http"))))
	plan := planFor(t, svc, []*corev1.Pod{
		aPod(1, declares(containerPort("http", 8080))), aPod(2, declares(containerPort("http", 9090))),
	}, nil, service.Options{ManagedBy: manager})
	wantSteps(t, "one slice for each number (vector 28)", plan, 2, 0, 0)

	svc.Spec.Ports = append(svc.Spec.Ports, svc.Spec.Ports[0])
	_, err := service.Input(svc, []*corev1.Pod{aPod(1, declares(containerPort("http", 8080)))}, nodes,
		service.Options{ManagedBy: manager})
	var invalid *field.Error
	if !errors.As(err, &invalid) || invalid.Type != field.ErrorTypeDuplicate {
		t.Errorf("two ports of one name: error %v, want one before anything is written (vector 27)", err)
	}
}

// TestPlanForADeletedService is vector 48: what is there may be changed, nothing is added to what goes away.
func TestPlanForADeletedService(t *testing.T) {
	svc := aService()
	existing := planFor(t, svc, []*corev1.Pod{aPod(1)}, nil, service.Options{ManagedBy: manager}).After()
	svc.DeletionTimestamp = &metav1.Time{}
	wantSteps(t, "no create for a Service being deleted", planFor(t, svc, []*corev1.Pod{aPod(1)}, nil, service.Options{ManagedBy: manager}), 0, 0, 0)
	wantSteps(t, "a Pod that changed is updated", planFor(t, svc, []*corev1.Pod{aPod(1, deleting)}, existing, service.Options{ManagedBy: manager}), 0, 1, 0)
}

// TestPlanForAZoneThatComesLater is vector 54 (kubernetes#123401): a Node's label arrives after its Pods.
func TestPlanForAZoneThatComesLater(t *testing.T) {
	onN9 := aPod(1, func(p *corev1.Pod) { p.Spec.NodeName = "n9" })
	o := service.Options{ManagedBy: manager, PublishWithoutZone: true}
	existing := planFor(t, aService(), []*corev1.Pod{onN9}, nil, o).After()
	onN9.Spec.NodeName = "n1"
	plan := planFor(t, aService(), []*corev1.Pod{onN9}, existing, o)
	wantSteps(t, "the zone is a change of the endpoint, and one update", plan, 0, 1, 0)
}

// TestPlanForNodesThatShareAnIP is vector 56 (prometheus-operator#6548): a replaced Node's object lingers.
func TestPlanForNodesThatShareAnIP(t *testing.T) {
	for _, readyFirst := range []bool{true, false} {
		in, err := service.BackendsInput(aService(), []service.Backend{
			{Addresses: []string{"192.0.2.1"}, Ready: readyFirst, Node: "old"},
			{Addresses: []string{"192.0.2.1"}, Ready: !readyFirst, Node: "new"},
		}, service.Options{ManagedBy: manager})
		if err != nil {
			t.Fatal(err)
		}
		plan, err := slicer.Compute(in, nil)
		if err != nil {
			t.Fatal(err)
		}
		after := plan.After()[0].Endpoints
		if len(after) != 1 || !*after[0].Conditions.Ready || len(plan.Skips) != 1 {
			t.Errorf("of two Nodes with one IP the ready one stays, and the other is reported:\n%v", plan)
		}
	}
}

// TestPlanForBothFamilies is vector 24: a mixed list makes a slice of each type, and none with both.
func TestPlanForBothFamilies(t *testing.T) {
	svc := aService(withFamilies(corev1.IPv4Protocol, corev1.IPv6Protocol))
	plan := planFor(t, svc, []*corev1.Pod{aPod(1, withIPs("fd00::1", "10.0.0.1")), aPod(2)}, nil, service.Options{ManagedBy: manager})
	wantSteps(t, "a slice for each family", plan, 2, 0, 0)
	if len(plan.Skips) != 1 || plan.Skips[0].Reason != service.NoAddressOfType {
		t.Error(plan.Err())
	}
	wantSteps(t, "a family without endpoints has its placeholder", planFor(t, svc, []*corev1.Pod{aPod(2)}, nil, service.Options{ManagedBy: manager}), 2, 0, 0)
}

// TestPlanForWhatTheAPIServerRefuses: a backend's loopback address does not cost the others their slice (vector 26).
func TestPlanForWhatTheAPIServerRefuses(t *testing.T) {
	in, err := service.BackendsInput(aService(), []service.Backend{
		{Addresses: []string{"10.0.0.1"}}, {Addresses: []string{"127.0.0.1"}}, {}, {Addresses: []string{"k8s-master-0"}},
		{Addresses: []string{"10.0.0.2"}, Hostname: "Bad_Name", Subdomain: "web"},
	}, service.Options{ManagedBy: manager})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := slicer.Compute(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := plan.After()[0].Endpoints; len(got) != 1 || got[0].Addresses[0] != "10.0.0.1" {
		t.Errorf("published %s, want 10.0.0.1", notation.Endpoints(got, "shop"))
	}
	if len(in.Skips) != 2 || len(plan.Skips) != 4 {
		t.Errorf("%d and %d Skips, want a reason for each of the other four: %v", len(in.Skips), len(plan.Skips), plan.Skips)
	}
}
