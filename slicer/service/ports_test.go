package service_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func servicePort(name string, port int32, target intstr.IntOrString) corev1.ServicePort {
	return corev1.ServicePort{Name: name, Protocol: corev1.ProtocolTCP, Port: port, TargetPort: target}
}

func withPorts(ports ...corev1.ServicePort) func(*corev1.Service) {
	return func(svc *corev1.Service) { svc.Spec.Ports = ports }
}

var named = intstr.FromString

// declares adds a container with these ports to a Pod.
func declares(ports ...corev1.ContainerPort) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Spec.Containers = append(p.Spec.Containers, corev1.Container{Ports: ports}) }
}

// declaresInit adds an init container that restarts so.
func declaresInit(policy *corev1.ContainerRestartPolicy, ports ...corev1.ContainerPort) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.InitContainers = append(p.Spec.InitContainers, corev1.Container{RestartPolicy: policy, Ports: ports})
	}
}

func containerPort(name string, number int32) corev1.ContainerPort {
	return corev1.ContainerPort{Name: name, ContainerPort: number, Protocol: corev1.ProtocolTCP}
}

// TestInputPorts: what targetPort leads to on each Pod (S3, S4).
func TestInputPorts(t *testing.T) {
	h2c := "kubernetes.io/h2c"
	http := aService(withPorts(servicePort("http", 80, named("http"))))
	two := aService(withPorts(servicePort("http", 80, named("http")), servicePort("admin", 81, named("admin"))))
	checkServiceRows(t, []serviceRow{
		{
			why: "a number is itself, also where a name is left from before",
			service: aService(withPorts(
				servicePort("http", 80, intstr.IntOrString{Type: intstr.Int, IntVal: 9090, StrVal: "http"}),
			)),
			pods: []*corev1.Pod{aPod(1, declares(containerPort("http", 8080)))},
			want: "ipv4 http:9090 | 10.0.0.1",
		},
		{
			why: "an empty name is no targetPort, also where a number is left from before",
			service: aService(withPorts(
				servicePort("http", 80, intstr.IntOrString{Type: intstr.String, IntVal: 9090}),
			)),
			pods: []*corev1.Pod{aPod(1)},
			want: "ipv4 http:80 | 10.0.0.1",
		},
		{
			why: "an unset targetPort is the port's own number, as the API server defaults it, of either type",
			service: aService(withPorts(
				servicePort("a", 80, intstr.IntOrString{}), servicePort("b", 81, named("")),
			)),
			pods: []*corev1.Pod{aPod(1)},
			want: "ipv4 a:80,b:81 | 10.0.0.1",
		},
		{
			why: "five ports stay five ports (vector 27; pointers to a loop variable made one of them, kubevirt#335)",
			service: aService(withPorts(
				servicePort("a", 1, intstr.FromInt32(11)), servicePort("b", 2, intstr.FromInt32(12)),
				servicePort("c", 3, intstr.FromInt32(13)), servicePort("d", 4, intstr.FromInt32(14)),
				servicePort("e", 5, intstr.FromInt32(15)),
			)),
			pods: []*corev1.Pod{aPod(1)},
			want: "ipv4 a:11,b:12,c:13,d:14,e:15 | 10.0.0.1",
		},
		{
			why:     "one name, two numbers: a group for each, in the order of the numbers (vector 28)",
			service: http,
			pods: []*corev1.Pod{
				aPod(1, declares(containerPort("http", 9090))), aPod(2, declares(containerPort("http", 8080))),
				aPod(3, declares(containerPort("http", 9090))),
			},
			want: "ipv4 http:8080 | 10.0.0.2\nipv4 http:9090 | 10.0.0.1 10.0.0.3",
		},
		{
			why:     "name and protocol must both match, and an empty protocol is TCP on either side (vector 30)",
			service: aService(withPorts(corev1.ServicePort{Name: "dns", Port: 53, TargetPort: named("dns")})),
			pods: []*corev1.Pod{aPod(1, declares(
				corev1.ContainerPort{Name: "dns", ContainerPort: 5353, Protocol: corev1.ProtocolUDP},
				corev1.ContainerPort{Name: "dns", ContainerPort: 5354},
			))},
			want: "ipv4 dns:5354 | 10.0.0.1",
		},
		{
			why: "a sidecar, an init container that restarts always, serves beside the containers, which come first " +
				"(vector 30, KEP-753)",
			service: two,
			pods: []*corev1.Pod{aPod(1,
				declaresInit(restart(corev1.ContainerRestartPolicyAlways), containerPort("admin", 15000), containerPort("http", 1)),
				declares(containerPort("http", 8080)),
			)},
			want: "ipv4 admin:15000,http:8080 | 10.0.0.1",
		},
		{
			why: "appProtocol goes along, and protocol and an empty name too",
			service: aService(withPorts(corev1.ServicePort{
				Protocol: corev1.ProtocolSCTP, Port: 80, TargetPort: intstr.FromInt32(8080), AppProtocol: &h2c,
			})),
			pods: []*corev1.Pod{aPod(1)},
			want: "ipv4 :8080/sctp(kubernetes.io/h2c) | 10.0.0.1",
		},
		{
			why: "each port has its own appProtocol, or none",
			service: aService(withPorts(
				corev1.ServicePort{Name: "a", Port: 80, AppProtocol: &h2c},
				corev1.ServicePort{Name: "b", Port: 81, AppProtocol: ptr("http")},
				corev1.ServicePort{Name: "c", Port: 82},
				corev1.ServicePort{Name: "d", Port: 83, AppProtocol: ptr("https")},
			)),
			pods: []*corev1.Pod{aPod(1)},
			want: "ipv4 a:80(kubernetes.io/h2c),b:81(http),c:82,d:83(https) | 10.0.0.1",
		},
	})
}

// TestInputUnresolvedPorts is vector 29 and kubernetes#129886: a Pod that lacks a named port.
func TestInputUnresolvedPorts(t *testing.T) {
	two := aService(withPorts(servicePort("http", 80, named("http")), servicePort("admin", 81, named("admin"))))
	pods := []*corev1.Pod{
		aPod(1, declares(containerPort("http", 8080), containerPort("admin", 9000))),
		aPod(2, declares(containerPort("http", 8080))),
		aPod(3),
	}
	lacks := func(what string) string {
		return "pods[1] shop/web-2: " + what + " admin:admin\npods[2] shop/web-3: " + what + " http:http"
	}
	checkServiceRows(t, []serviceRow{
		{
			why:     "published with the ports that do resolve, without any where none does, and never merged with the others",
			service: two,
			pods:    pods,
			want:    "ipv4 - | 10.0.0.3\nipv4 http:8080 | 10.0.0.2\nipv4 admin:9000,http:8080 | 10.0.0.1",
			skips:   lacks("PortLeftOut") + "\npods[2] shop/web-3: PortLeftOut admin:admin",
		},
	})
}

func restart(policy corev1.ContainerRestartPolicy) *corev1.ContainerRestartPolicy { return &policy }
