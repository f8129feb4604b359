package service_test

import (
	"errors"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
)

var errUnread = errors.New("no status of net2")

// TestSkipTexts: each reason has a sentence, and says whether it helps to call again.
func TestSkipTexts(t *testing.T) {
	unread := func(*corev1.Pod) ([]string, error) { return nil, errUnread }
	on := func(name string) func(*corev1.Pod) { return func(p *corev1.Pod) { p.Spec.NodeName = name } }
	http := servicePort("http", 80, named("web"))
	for _, row := range []struct {
		pod     *corev1.Pod
		options service.Options
		want    string
		retry   bool
	}{
		{aPod(1, on("n9")), service.Options{}, `Pod shop/web-1: NodeMissing: its Node "n9" is not found`, true},
		{aPod(1, on("n9"), deleting), service.Options{}, `Pod shop/web-1: NodeMissing: its Node "n9" is not found`, false},
		{aPod(1, on("")), service.Options{}, "Pod shop/web-1: NodeMissing: it runs on no Node yet", false},
		{aPod(1), service.Options{Addresses: unread}, "Pod shop/web-1: AddressesUnread: options.addresses: no status of net2", true},
		{aPod(1, withIPs()), service.Options{}, "Pod shop/web-1: NoAddress: it has no address yet", false},
		{aPod(1, withIPs("a b")), service.Options{}, `Pod shop/web-1 "a b": NotAnIP: its address is no IP, and slices of a Service hold nothing else`, false},
		{aPod(1, withIPs("fd00::1")), service.Options{}, "Pod shop/web-1: NoAddressOfType: it has no IPv4 address", false},
		{aPod(1), service.Options{DeclaredPortsOnly: true}, "Pod shop/web-1: PortLeftOut: it declares no port for http:web", false},
		{aPod(1), service.Options{SkipUnresolved: true}, "Pod shop/web-1: PortMissing: it declares no port for http:web", false},
	} {
		svc := aService(withPorts(http))
		if !row.options.DeclaredPortsOnly && !row.options.SkipUnresolved {
			svc = aService()
		}
		row.options.ManagedBy = manager
		plan, err := service.Plan(svc, []*corev1.Pod{row.pod}, nodes, nil, row.options)
		if err != nil || len(plan.Skips) != 1 {
			t.Fatalf("error %v, Skips %v, want %s", err, plan.Skips, row.want)
		}
		if have := plan.Skips[0].Error(); have != row.want {
			t.Errorf("Error() = %q, want %q", have, row.want)
		}
		if have := plan.Retry() != nil; have != row.retry {
			t.Errorf("%s: Retry() = %v", row.want, plan.Retry())
		}
		if row.options.Addresses != nil && !errors.Is(plan.Retry(), errUnread) {
			t.Errorf("Retry() = %v does not wrap what Addresses returned", plan.Retry())
		}
		var s slicer.Skip
		if !errors.As(plan.Err(), &s) || s.Reason != plan.Skips[0].Reason || s.Path != "pods[0]" {
			t.Errorf("the Skip in Err() is %#v", s)
		}
	}
}

// TestPortOfBackend: a Backend that declares a port with a number that is none is told of the number.
func TestPortOfBackend(t *testing.T) {
	for number, want := range map[int32]string{
		99090: "the number 99090 that it declares for http:web is not 1 to 65535",
		0:     "the number 0 that it declares for http:web is not 1 to 65535",
	} {
		b := service.Backend{Name: "a", Addresses: []string{"10.0.0.1"}, Ports: []service.BackendPort{{Name: "web", Port: number}}}
		plan, err := service.PlanBackends(aService(withPorts(servicePort("http", 80, named("web")))), []service.Backend{b}, nil, service.Options{ManagedBy: manager})
		if err != nil || len(plan.Skips) != 1 || plan.Skips[0].Err.Error() != want {
			t.Errorf("error %v, Skips %v, want %s", err, plan.Skips, want)
		}
	}
}

// TestPlanNamesItsOptions: the path of a mistake is that in the Options of the call.
func TestPlanNamesItsOptions(t *testing.T) {
	svc := aService()
	for want, change := range map[string]func(*service.Options){
		"options.managedBy":                   func(o *service.Options) { o.ManagedBy = "no label" },
		"options.key":                         func(o *service.Options) { o.Key = map[string]string{"no label": "web"} },
		"options.namePrefix":                  func(o *service.Options) { o.NamePrefix = "_" },
		"options.slices.maxEndpointsPerSlice": func(o *service.Options) { o.Slices.MaxEndpointsPerSlice = 1001 },
		"options.slices.hints.thresholds.aim": func(o *service.Options) { o.Slices.Hints.Thresholds = hints.Thresholds{Aim: 30, Start: 20, Stop: 40} },
	} {
		o := service.Options{ManagedBy: manager}
		change(&o)
		_, ofPods := service.Plan(svc, nil, nil, nil, o)
		_, ofBackends := service.PlanBackends(svc, nil, nil, o)
		for door, err := range map[string]error{"Plan": ofPods, "PlanBackends": ofBackends} {
			var fault *field.Error
			if !errors.As(err, &fault) || fault.Field != want {
				t.Errorf("%s: error %v, want one of %s", door, err, want)
			}
		}
	}
}

// TestNilPod: a nil Pod is a mistake in the call (vector 50).
func TestNilPod(t *testing.T) {
	pods, o := []*corev1.Pod{aPod(1), nil}, service.Options{ManagedBy: manager}
	_, ofInput := service.Input(aService(), pods, nil, o)
	_, ofPlan := service.Plan(aService(), pods, nil, nil, o)
	for _, err := range []error{ofInput, ofPlan} {
		if err == nil || err.Error() != "pods[1]: Required value: is nil: leave it out" {
			t.Errorf("error %v", err)
		}
	}
}
