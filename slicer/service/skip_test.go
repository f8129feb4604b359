package service_test

import (
	"errors"
	"testing"

	corev1 "k8s.io/api/core/v1"

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

// TestNilPod: a nil Pod is a mistake in the call (vector 50).
func TestNilPod(t *testing.T) {
	for name, call := range map[string]func() error{
		"Input": func() error {
			_, err := service.Input(aService(), []*corev1.Pod{aPod(1), nil}, nil, service.Options{ManagedBy: manager})
			return err
		},
		"Plan": func() error {
			_, err := service.Plan(aService(), []*corev1.Pod{aPod(1), nil}, nil, nil, service.Options{ManagedBy: manager})
			return err
		},
	} {
		if err := call(); err == nil || err.Error() != "pods[1]: Required value: is nil: leave it out" {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
