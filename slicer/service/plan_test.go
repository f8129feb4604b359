package service_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/slicer/service"
)

// TestPlanStories plans for a Service again and again, each time on what the plan before leaves, and says what the last one does.
func TestPlanStories(t *testing.T) {
	http := withPorts(servicePort("http", 80, named("http")))
	on := func(port int32) func(*corev1.Pod) { return declares(containerPort("http", port)) }
	at := func(node string) func(*corev1.Pod) { return func(p *corev1.Pod) { p.Spec.NodeName = node } }
	deleted := func(svc *corev1.Service) { svc.DeletionTimestamp = &metav1.Time{} }
	for _, row := range []struct {
		why     string
		service *corev1.Service
		options service.Options
		pods    [][]*corev1.Pod // of each plan
		last    func(*corev1.Service)
		want    []string // the steps of the last plan
	}{
		{why: "an endpoint without ports has a slice of its own, for which the placeholder is taken (vector 29)", service: aService(http),
			pods: [][]*corev1.Pod{nil, {aPod(1, on(8080)), aPod(2)}},
			want: []string{"create web-dnnkkf94-ipv4-2 ipv4 http:8080: +10.0.0.1 (EndpointsAdded)", "update web-dnnkkf94-ipv4: +10.0.0.2 (EndpointsAdded)"}},
		{why: "and takes the ports when they resolve (vector 29)", service: aService(http),
			pods: [][]*corev1.Pod{{aPod(1, on(8080)), aPod(2)}, {aPod(1, on(8080)), aPod(2, on(8080))}},
			want: []string{"update web-dnnkkf94-ipv4: =10.0.0.2 ports none->http:8080 (PortsChanged)"}},
		{why: "a slice for each number (vector 28)", service: aService(http), pods: [][]*corev1.Pod{{aPod(1, on(8080)), aPod(2, on(9090))}},
			want: []string{"create web-dnnkkf94-ipv4 ipv4 http:8080: +10.0.0.1 (EndpointsAdded)", "create web-dnnkkf94-ipv4-2 ipv4 http:9090: +10.0.0.2 (EndpointsAdded)"}},
		{why: "nothing is added to a Service that is being deleted (vector 48)", service: aService(deleted), pods: [][]*corev1.Pod{{aPod(1)}}},
		{why: "what is there may be changed (vector 48)", service: aService(), pods: [][]*corev1.Pod{{aPod(1)}, {aPod(1, deleting)}}, last: deleted,
			want: []string{"update web-dnnkkf94-ipv4: ~10.0.0.1{!ready,terminating} (EndpointsChanged)"}},
		{why: "a zone that comes later is a change (vector 54, kubernetes#123401)", service: aService(), options: service.Options{PublishWithoutZone: true},
			pods: [][]*corev1.Pod{{aPod(1, at("n9"))}, {aPod(1, at("n1"))}},
			want: []string{"update web-dnnkkf94-ipv4: ~10.0.0.1{node=n1,zone=z1} (EndpointsChanged)"}},
		{why: "a mixed list makes a slice of each type, and none with both (vector 24)", service: aService(withFamilies(corev1.IPv4Protocol, corev1.IPv6Protocol)),
			pods: [][]*corev1.Pod{{aPod(1, withIPs("fd00::1", "10.0.0.1")), aPod(2)}},
			want: []string{"create web-dnnkkf94-ipv4 ipv4 http:8080: +10.0.0.1 +10.0.0.2 (EndpointsAdded)", "create web-dnnkkf94-ipv6 ipv6 http:8080: +fd00::1 (EndpointsAdded)"}},
		{why: "a family without endpoints has its placeholder", service: aService(withFamilies(corev1.IPv4Protocol, corev1.IPv6Protocol)),
			pods: [][]*corev1.Pod{{aPod(2)}},
			want: []string{"create web-dnnkkf94-ipv4 ipv4 http:8080: +10.0.0.2 (EndpointsAdded)", "create web-dnnkkf94-ipv6 ipv6 none (PlaceholderWanted)"}},
	} {
		row.options.ManagedBy = manager
		var lines []string
		var existing []*discoveryv1.EndpointSlice
		for i, pods := range row.pods {
			if row.last != nil && i == len(row.pods)-1 {
				row.last(row.service)
			}
			plan, err := service.Plan(row.service, pods, nodes, existing, row.options)
			if err != nil {
				t.Fatal(err)
			}
			lines, existing = nil, plan.After()
			for _, step := range plan.Steps {
				lines = append(lines, strings.ReplaceAll(step.String(), " annotations -endpoints.kubernetes.io/last-change-trigger-time", ""))
			}
		}
		if d := cmp.Diff(row.want, lines); d != "" {
			t.Errorf("%s (-want +got):\n%s", row.why, d)
		}
	}
}

// TestPlanOfTwoPortsOfOneName is vector 27: an error before anything is written.
func TestPlanOfTwoPortsOfOneName(t *testing.T) {
	http := servicePort("http", 80, named("http"))
	_, err := service.Plan(aService(withPorts(http, http)), []*corev1.Pod{aPod(1)}, nodes, nil, service.Options{ManagedBy: manager})
	var invalid *field.Error
	if !errors.As(err, &invalid) || invalid.Type != field.ErrorTypeDuplicate {
		t.Errorf("error %v", err)
	}
}

// TestPlanForBackends: of two Nodes with one IP, such as one that was replaced, the ready one stays, and the other is reported
// (vector 56, prometheus-operator#6548); and what the API server refuses does not cost the others their slice (vector 26).
func TestPlanForBackends(t *testing.T) {
	of := func(address string) service.Backend { return service.Backend{Addresses: []string{address}} }
	old, replaced := of("192.0.2.1"), of("192.0.2.1")
	old.Node, replaced.Node, replaced.Ready = "old", "new", true
	badName := of("10.0.0.2")
	badName.Hostname, badName.Subdomain = "Bad_Name", "web"
	for want, backends := range map[string][]service.Backend{
		"192.0.2.1 ready, 1 skipped":  {old, replaced},
		"192.0.2.1 ready, 1 skipped ": {replaced, old},
		"10.0.0.1, 4 skipped":         {of("10.0.0.1"), of("127.0.0.1"), {}, of("k8s-master-0"), badName},
	} {
		plan, err := service.PlanBackends(aService(), backends, nil, service.Options{ManagedBy: manager})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, e := range plan.After()[0].Endpoints {
			got += e.Addresses[0]
			if *e.Conditions.Ready {
				got += " ready"
			}
		}
		if got += strings.TrimPrefix(plan.Summary(), "total 1 write (1 create), endpoints +1 -0 ~0"); got != strings.TrimSpace(want) {
			t.Errorf("%s, want %s:\n%v", got, want, plan)
		}
	}
}
