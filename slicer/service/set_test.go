package service_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
)

// bothWays gives a Service without workloads to Input and BackendsInput, which must say the same of its slices.
func bothWays(t *testing.T, svc *corev1.Service, o service.Options) slicer.Set {
	t.Helper()
	pods, err := derive(t, svc, nil, nodes, o)
	if err != nil {
		t.Fatal(err)
	}
	backends, err := deriveBackends(t, svc, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(pods, backends); d != "" {
		t.Errorf("Input and BackendsInput differ:\n%s", d)
	}
	return pods.Set
}

func wantTypes(t *testing.T, why string, svc *corev1.Service, want ...discoveryv1.AddressType) {
	t.Helper()
	if d := cmp.Diff(want, bothWays(t, svc, service.Options{ManagedBy: manager}).AddressTypes); d != "" {
		t.Errorf("%s: address types (-want +got):\n%s", why, d)
	}
}

func TestInputAddressTypes(t *testing.T) {
	const v4, v6 = discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6
	unset := withFamilies()
	ips := func(ips ...string) func(*corev1.Service) {
		return func(svc *corev1.Service) { svc.Spec.ClusterIP, svc.Spec.ClusterIPs = ips[0], ips }
	}
	for _, row := range []struct {
		why     string
		service *corev1.Service
		want    []discoveryv1.AddressType
	}{
		{"ipFamilies decide", aService(withFamilies(corev1.IPv6Protocol)), []discoveryv1.AddressType{v6}},
		{"the same one twice is one", aService(withFamilies(corev1.IPv4Protocol, corev1.IPv4Protocol)), []discoveryv1.AddressType{v4}},
		{"an unknown family of a newer API server is left out", aService(withFamilies("IPv8", corev1.IPv4Protocol)), []discoveryv1.AddressType{v4}},
		{"unset, the cluster IP's family decides", aService(unset), []discoveryv1.AddressType{v4}},
		{"of either family", aService(unset, ips("fd00::10")), []discoveryv1.AddressType{v6}},
		{"with two cluster IPs, both", aService(unset, ips("fd00::10", "10.96.0.1")), []discoveryv1.AddressType{v4, v6}},
		{"headless and unset, either may be meant", aService(unset, headless), []discoveryv1.AddressType{v4, v6}},
		{"headless with ipFamilies, those", aService(headless), []discoveryv1.AddressType{v4}},
	} {
		wantTypes(t, row.why, row.service, row.want...)
	}
}

func TestInputSet(t *testing.T) {
	yes := true
	owner := metav1.OwnerReference{
		APIVersion: "v1", Kind: "Service", Name: "web", UID: "svc", Controller: &yes, BlockOwnerDeletion: &yes,
	}
	plain := slicer.Set{
		Namespace: "shop", Name: "web", ManagedBy: "endpointslice-controller.k8s.io",
		Owners:       []metav1.OwnerReference{owner},
		AddressTypes: []discoveryv1.AddressType{discoveryv1.AddressTypeIPv4}, Created: time.Unix(100, 0).UTC(),
	}
	for _, row := range []struct {
		why     string
		service *corev1.Service
		options service.Options
		edit    func(*slicer.Set)
	}{
		{
			"the control plane's manager, the Service as controlling owner (S6, S7)",
			aService(), service.Options{ManagedBy: manager}, func(*slicer.Set) {},
		},
		{
			"another manager and another key, as a controller beside the control plane's needs them",
			aService(),
			service.Options{ManagedBy: "vms.example.com", Key: map[string]string{"vms.example.com/of": "web"}},
			func(s *slicer.Set) {
				s.ManagedBy, s.Key = "vms.example.com", map[string]string{"vms.example.com/of": "web"}
			},
		},
		{
			"the Service's labels are on its slices, except for those that mean something else there (S8)",
			aService(func(svc *corev1.Service) {
				svc.Labels = map[string]string{
					"team": "a", discoveryv1.LabelServiceName: "db", discoveryv1.LabelManagedBy: "me", corev1.IsHeadlessService: "",
					"service.kubernetes.io/service-proxy-name": "mesh",
				}
			}),
			service.Options{ManagedBy: manager},
			func(s *slicer.Set) {
				s.Labels = map[string]string{"team": "a", "service.kubernetes.io/service-proxy-name": "mesh"}
			},
		},
		{
			"headless Services' slices say so (S8)",
			aService(headless), service.Options{ManagedBy: manager},
			func(s *slicer.Set) { s.Labels = map[string]string{corev1.IsHeadlessService: ""} },
		},
		{
			"a Service without any cluster IP is no different from a headless one",
			aService(func(svc *corev1.Service) { svc.Spec.ClusterIP = "" }), service.Options{ManagedBy: manager},
			func(s *slicer.Set) { s.Labels = map[string]string{corev1.IsHeadlessService: ""} },
		},
		{
			"a Service being deleted gets no new slices (vector 48, kubernetes#91287)",
			aService(func(svc *corev1.Service) { svc.DeletionTimestamp = &metav1.Time{} }), service.Options{ManagedBy: manager},
			func(s *slicer.Set) { s.Terminating = true },
		},
		{
			"without UID there is no owner reference, because the API server refuses one (V5)",
			aService(func(svc *corev1.Service) { svc.UID = "" }), service.Options{ManagedBy: manager},
			func(s *slicer.Set) { s.Owners = nil },
		},
		{
			"the caller may know better when it all began",
			aService(), service.Options{ManagedBy: manager, TriggerTime: ptr(time.Unix(5, 0))},
			func(s *slicer.Set) { s.TriggerTime = ptr(time.Unix(5, 0)) },
		},
	} {
		want := plain
		row.edit(&want)
		if d := cmp.Diff(want, bothWays(t, row.service, row.options)); d != "" {
			t.Errorf("%s (-want +got):\n%s", row.why, d)
		}
	}
	if owner := bothWays(t, aService(), service.Options{ManagedBy: manager}).Owners[0]; owner.Controller == owner.BlockOwnerDeletion {
		t.Error("who changes one of the owner's flags changes both")
	}
}

func TestInputErrors(t *testing.T) {
	external := func(svc *corev1.Service) { svc.Spec.Type, svc.Spec.Selector = corev1.ServiceTypeExternalName, nil }
	unselected := func(svc *corev1.Service) { svc.Spec.Selector = nil }
	for _, row := range []struct {
		why     string
		service *corev1.Service
		options service.Options
		path    string
		kind    field.ErrorType
	}{
		{"no Service, nothing to derive", nil, service.Options{ManagedBy: manager}, "service", field.ErrorTypeRequired},
		{"an alias has no endpoints, whatever the options say", aService(external), service.Options{ManagedBy: manager, AllowNoSelector: true}, "service.spec.type", field.ErrorTypeForbidden},
		{"without selector the endpoints are somebody else's", aService(unselected), service.Options{ManagedBy: manager}, "service.spec.selector", field.ErrorTypeForbidden},
		{
			"an empty selector is none: to take it for everything would publish the whole namespace",
			aService(func(svc *corev1.Service) { svc.Spec.Selector = map[string]string{} }), service.Options{ManagedBy: manager},
			"service.spec.selector", field.ErrorTypeForbidden,
		},
		{
			"what is not to be managed says so first, since a caller goes by that",
			aService(unselected, func(svc *corev1.Service) { svc.Name = "" }), service.Options{ManagedBy: manager},
			"service.spec.selector", field.ErrorTypeForbidden,
		},
		{"slices need a name to be called after", aService(func(svc *corev1.Service) { svc.Name = "" }), service.Options{ManagedBy: manager}, "service.metadata.name", field.ErrorTypeRequired},
		{"nobody else may have the name of the manager, so there is no default", aService(), service.Options{}, "options.managedBy", field.ErrorTypeRequired},
		{"slices need a namespace", aService(func(svc *corev1.Service) { svc.Namespace = "" }), service.Options{ManagedBy: manager}, "service.metadata.namespace", field.ErrorTypeRequired},
		{
			"Pods have no names for addresses", aService(),
			service.Options{ManagedBy: manager, AddressTypes: []discoveryv1.AddressType{discoveryv1.AddressTypeFQDN}},
			"options.addressTypes[0]", field.ErrorTypeNotSupported,
		},
	} {
		check := func(name string, in slicer.Input, err error) {
			var got *field.Error
			if !errors.As(err, &got) {
				t.Errorf("%s: error %v is made of no *field.Error: %s", name, err, row.why)
				return
			}
			if got.Field != row.path || got.Type != row.kind || got.Detail == "" {
				t.Errorf("%s: %v, want %s %s and what to do: %s", name, got, row.path, row.kind, row.why)
			}
			if d := cmp.Diff(slicer.Input{}, in); d != "" {
				t.Errorf("%s: with an error came %s: %s", name, d, row.why)
			}
		}
		pods, backends := []*corev1.Pod{aPod(1)}, []service.Backend{{}}
		in, err := service.Input(row.service, pods, nodes, row.options)
		check("Input", in, err)
		plan, err := service.Plan(row.service, pods, nodes, nil, row.options)
		check("Plan", slicer.Input{}, err)
		if row.path != "service.spec.selector" {
			in, err = service.BackendsInput(row.service, backends, row.options)
			check("BackendsInput", in, err)
			_, err = service.PlanBackends(row.service, backends, nil, row.options)
			check("PlanBackends", slicer.Input{}, err)
		}
		if !plan.Empty() || len(plan.Hints) > 0 {
			t.Errorf("with an error came a plan: %v", plan)
		}
	}
}

// TestInputWithoutSelector: by option all Pods of the namespace are meant.
func TestInputWithoutSelector(t *testing.T) {
	serviceRow{
		why:     "the option takes the namespace's Pods, whatever their labels, and still no other namespace's",
		service: aService(func(svc *corev1.Service) { svc.Spec.Selector = nil }),
		pods: []*corev1.Pod{
			aPod(1, func(p *corev1.Pod) { p.Labels = nil }), aPod(2), aPod(3, func(p *corev1.Pod) { p.Namespace = "bank" }),
		},
		options: service.Options{ManagedBy: manager, AllowNoSelector: true},
		want:    "ipv4 http:8080 | 10.0.0.1 10.0.0.2",
	}.check(t)
}

// TestInputAddressTypesByOption: a second network need not have the Service's families.
func TestInputAddressTypesByOption(t *testing.T) {
	serviceRow{
		why:  "the option wins over ipFamilies, and each Pod's address of the other type is left alone",
		pods: []*corev1.Pod{aPod(1)},
		options: service.Options{
			ManagedBy:    manager,
			AddressTypes: []discoveryv1.AddressType{discoveryv1.AddressTypeIPv6},
			Addresses:    func(*corev1.Pod) ([]string, error) { return []string{"10.9.0.1", "fd00:9::1"}, nil },
		},
		want: "ipv6 http:8080 | fd00:9::1",
	}.check(t)
}
