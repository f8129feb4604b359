package service_test

import (
	"fmt"
	"net"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// serviceTwin says in one plain walk what Input must publish and skip: lines as endpointLines prints them, and
// texts as skipTexts does.
func serviceTwin(w serviceWorld) (lines []string, skips string) {
	var skipped []string
	for i, pod := range w.pods {
		if pod.Namespace != "shop" || pod.Labels["app"] != "web" {
			continue
		}
		skip := func(format string, args ...any) {
			skipped = append(skipped, fmt.Sprintf("pods[%d] %s/%s: ", i, pod.Namespace, pod.Name)+fmt.Sprintf(format, args...))
		}
		if reason := twinRefuses(w, pod); reason != "" {
			skip("%s", reason)
			continue
		}
		group, lacks := twinPorts(w, pod)
		if len(lacks) > 0 && w.options.SkipUnresolved {
			skip("PortMissing %s", lacks[0])
			continue
		}
		for _, lack := range lacks {
			skip("PortLeftOut %s", lack)
		}
		has := map[string]bool{}
		for _, podIP := range pod.Status.PodIPs {
			family := twinFamily(podIP.IP)
			if family == "" {
				skip("NotAnIP %s", podIP.IP)
				continue
			}
			has[family] = true
			if slices.Contains(twinFamilies(w.service), family) {
				lines = append(lines, strings.ToLower(family)+" "+group+" | "+podIP.IP+twinFields(w, pod))
			}
		}
		if ip := w.service.Spec.ClusterIP; len(has) > 0 && pod.Spec.Hostname != "" && pod.Spec.Subdomain == "" && (ip == "" || ip == "None") {
			skip("HostnameLeftOut")
		}
		for _, family := range []string{"IPv4", "IPv6"} {
			if len(has) > 0 && !has[family] && slices.Contains(twinFamilies(w.service), family) {
				skip("NoAddressOfType %s", family)
			}
		}
	}
	slices.Sort(lines)
	return lines, strings.Join(skipped, "\n")
}

// twinMistake is the field that an error must name: of Pods that are all of other namespaces, or that would be published and name
// several Nodes, none of which is there.
func twinMistake(w serviceWorld) string {
	ours, lost, found := len(w.pods) == 0, map[string]bool{}, false
	for _, pod := range w.pods {
		ours = ours || pod.Namespace == "shop"
		if name := pod.Spec.NodeName; pod.Namespace == "shop" && pod.Labels["app"] == "web" && name != "" && len(pod.Status.PodIPs) > 0 && pod.Status.Phase != "Failed" {
			found = found || nodes(name) != nil
			if pod.DeletionTimestamp == nil {
				lost[name] = true
			}
		}
	}
	switch {
	case !ours:
		return "pods[0].metadata.namespace"
	case w.nodes && !found && len(lost) > 1 && !twinPublishesNotReady(w):
		return "node"
	}
	return ""
}

// twinPorts returns what resolves on a Pod, as a group's ports are printed, and what does not, as a Skip prints it.
func twinPorts(w serviceWorld, pod *corev1.Pod) (group string, lacks []string) {
	var ports []string
	for _, port := range w.service.Spec.Ports {
		protocol, number := twinProtocol(port.Protocol), twinPort(w, pod, port)
		if number == 0 {
			lack := port.Name + ":" + port.TargetPort.String()
			if text := port.TargetPort.String(); text == "" || text == "0" {
				lack = fmt.Sprint(port.Name, ":", port.Port)
			}
			if protocol != "TCP" {
				lack += "/" + protocol
			}
			lacks = append(lacks, lack)
			continue
		}
		text := fmt.Sprintf("%s:%d", port.Name, number)
		if protocol != "TCP" {
			text += "/" + strings.ToLower(protocol)
		}
		ports = append(ports, text)
	}
	if ports == nil {
		return "-", lacks
	}
	return strings.Join(ports, ","), lacks
}

func twinRefuses(w serviceWorld, pod *corev1.Pod) string {
	switch {
	case pod.Status.Phase == "Failed":
		return "PodFinished"
	case len(pod.Status.PodIPs) == 0:
		return "NoAddress"
	case w.nodes && nodes(pod.Spec.NodeName) == nil && !twinPublishesNotReady(w):
		return "NodeMissing"
	}
	return ""
}

func twinPublishesNotReady(w serviceWorld) bool {
	return w.service.Spec.PublishNotReadyAddresses && !w.options.IgnorePublishNotReady
}

func twinProtocol(p corev1.Protocol) string {
	if p == "" {
		return "TCP"
	}
	return string(p)
}

func twinPort(w serviceWorld, pod *corev1.Pod, port corev1.ServicePort) int32 {
	number, name := port.TargetPort.IntVal, port.TargetPort.StrVal
	if number == 0 && name == "" {
		number = port.Port
	}
	if name == "" && !w.options.DeclaredPortsOnly {
		return number
	}
	containers := slices.Clone(pod.Spec.Containers)
	for _, c := range pod.Spec.InitContainers {
		if c.RestartPolicy != nil && *c.RestartPolicy == "Always" {
			containers = append(containers, c)
		}
	}
	for _, c := range containers {
		for _, p := range c.Ports {
			matches := p.Name == name || name == "" && p.ContainerPort == number
			if matches && twinProtocol(p.Protocol) == twinProtocol(port.Protocol) {
				return p.ContainerPort
			}
		}
	}
	return 0
}

func twinFamily(text string) string {
	switch ip := net.ParseIP(text); {
	case ip == nil:
		return ""
	case ip.To4() != nil:
		return "IPv4"
	default:
		return "IPv6"
	}
}

func twinFamilies(svc *corev1.Service) []string {
	var families []string
	for _, f := range svc.Spec.IPFamilies {
		families = append(families, string(f))
	}
	if families == nil {
		if family := twinFamily(svc.Spec.ClusterIP); family != "" {
			return []string{family}
		}
		return []string{"IPv4", "IPv6"}
	}
	return families
}

func twinFields(w serviceWorld, pod *corev1.Pod) string {
	var fields []string
	if pod.Spec.Hostname != "" && pod.Spec.Subdomain == "web" {
		fields = append(fields, "host="+pod.Spec.Hostname)
	}
	fields = append(fields, "pod="+pod.Name, "uid="+string(pod.UID))
	if pod.Spec.NodeName != "" {
		fields = append(fields, "node="+pod.Spec.NodeName)
	}
	zones := map[string]string{"n1": "z1", "n2": "z2"}
	if zone := zones[pod.Spec.NodeName]; w.nodes && zone != "" {
		fields = append(fields, "zone="+zone)
	}
	serving := len(pod.Status.Conditions) == 1 && pod.Status.Conditions[0].Status == "True"
	terminating := pod.DeletionTimestamp != nil
	ready := serving && !terminating || twinPublishesNotReady(w)
	for _, c := range []struct {
		name  string
		value bool
	}{{"ready", ready}, {"serving", serving}, {"terminating", terminating}} {
		if !c.value {
			c.name = "!" + c.name
		}
		fields = append(fields, c.name)
	}
	return "{" + strings.Join(fields, ",") + "}"
}
