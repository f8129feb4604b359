package service_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/slicer/service"
)

// TestInputRefusesPorts: a mistake in the ports is named by the Service's field, whatever the Pods have.
func TestInputRefusesPorts(t *testing.T) {
	number := intstr.FromInt32
	good := servicePort("http", 80, number(8080))
	for _, row := range []struct {
		why   string
		ports []corev1.ServicePort
		want  string // "" for none
	}{
		{"no port at all is no mistake", nil, ""},
		{"the smallest and the largest number", []corev1.ServicePort{servicePort("a", 80, number(1)), servicePort("b", 80, number(65535))}, ""},
		{"one port needs no name", []corev1.ServicePort{servicePort("", 80, number(8080))}, ""},
		{"a name is looked up on the Pods, and may be of none", []corev1.ServicePort{servicePort("http", 80, named("nobodys"))}, ""},
		{"the number of the port itself does not matter where it leads nowhere",
			[]corev1.ServicePort{servicePort("http", 0, named("http"))}, ""},
		{"a negative number", []corev1.ServicePort{good, servicePort("b", 80, number(-5))}, "error service.spec.ports[1].targetPort (Invalid value)"},
		{"a number above the last", []corev1.ServicePort{servicePort("http", 80, number(65536))}, "error service.spec.ports[0].targetPort (Invalid value)"},
		{"where targetPort is unset, the port's own number counts, and is the one to mend",
			[]corev1.ServicePort{servicePort("http", 70000, intstr.IntOrString{})}, "error service.spec.ports[0].port (Invalid value)"},
		{"no number anywhere", []corev1.ServicePort{{Name: "http"}}, "error service.spec.ports[0].port (Invalid value)"},
		{"one name twice", []corev1.ServicePort{good, good}, "error service.spec.ports[1].name (Duplicate value)"},
		{"no name twice", []corev1.ServicePort{{Port: 80}, {Port: 81}}, "error service.spec.ports[1].name (Duplicate value)"},
		{"a name that is no DNS label", []corev1.ServicePort{servicePort("Http", 80, number(80))}, "error service.spec.ports[0].name (Invalid value)"},
		{"a protocol is spelt in capitals", []corev1.ServicePort{{Port: 53, Protocol: "udp"}}, "error service.spec.ports[0].protocol (Unsupported value)"},
		{"an application protocol is a qualified name", []corev1.ServicePort{{Port: 80, AppProtocol: ptr("h2 c")}}, "error service.spec.ports[0].appProtocol (Invalid value)"},
		{"all mistakes at once", []corev1.ServicePort{good, servicePort("http", 80, number(-1))},
			"error service.spec.ports[1].name (Duplicate value)\nerror service.spec.ports[1].targetPort (Invalid value)"},
	} {
		for _, pods := range [][]*corev1.Pod{nil, {aPod(1)}} {
			for _, o := range []service.Options{{ManagedBy: manager}, {ManagedBy: manager, DeclaredPortsOnly: true}} {
				got := ""
				if _, err := derive(t, aService(withPorts(row.ports...)), pods, nodes, o); err != nil {
					got = mistakes(err)
				}
				if got != row.want {
					t.Errorf("%d Pods, %+v: got %q, want %q: %s", len(pods), o, got, row.want, row.why)
				}
			}
		}
	}
}

// mistakes lists the fields and types of an error.
func mistakes(err error) string {
	var lines []string
	for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
		var f *field.Error
		if !errors.As(e, &f) {
			return fmt.Sprintf("an error that is no *field.Error: %v", e)
		}
		if f.Detail == "" && f.Type != field.ErrorTypeNotSupported {
			return fmt.Sprintf("an error that does not say what to do: %v", e)
		}
		lines = append(lines, fmt.Sprintf("error %s (%s)", f.Field, f.Type))
	}
	return strings.Join(lines, "\n")
}
