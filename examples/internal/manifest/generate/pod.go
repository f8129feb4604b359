package main

import (
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// readyAfter is how long a Pod starts.
const readyAfter = 11 * time.Second

// pod says what one Pod has that others have not.
type pod struct {
	namespace, app string
	owner          metav1.OwnerReference
	name           string
	ips            []string // none: no network yet
	node           *corev1.Node
	ports          []corev1.ContainerPort
	image          string
	started        time.Duration // how long ago
	ready          bool
	deleting       bool
	evicted        bool
	hostNetwork    bool
	hostname       string
	subdomain      string
	sidecar        *corev1.Container // a restartable init container
}

// owner is a workload's reference in its Pods.
func owner(apiVersion, kind, namespace, name string) metav1.OwnerReference {
	return metav1.OwnerReference{
		APIVersion: apiVersion, Kind: kind, Name: name, UID: uid(kind, namespace, name),
		Controller: ptr(true), BlockOwnerDeletion: ptr(true),
	}
}

func replicaSet(namespace, app, templateHash string) metav1.OwnerReference {
	return owner("apps/v1", "ReplicaSet", namespace, app+"-"+templateHash)
}

func tcp(name string, port int32) corev1.ContainerPort {
	return corev1.ContainerPort{Name: name, ContainerPort: port, Protocol: corev1.ProtocolTCP}
}

// pod adds a Pod as kubelet and API server would show it.
func (c *cluster) pod(p pod) *corev1.Pod {
	created := ago(p.started)
	out := &corev1.Pod{ObjectMeta: meta("Pod", p.namespace, p.name, created)}
	out.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Pod"))
	out.OwnerReferences = []metav1.OwnerReference{p.owner}
	out.GenerateName = p.owner.Name + "-"
	out.Labels = map[string]string{"app.kubernetes.io/name": p.app}
	if p.owner.Kind == "ReplicaSet" {
		out.Labels["pod-template-hash"] = p.owner.Name[strings.LastIndex(p.owner.Name, "-")+1:]
	}
	if p.owner.Kind == "StatefulSet" {
		index := p.name[strings.LastIndex(p.name, "-")+1:]
		out.Labels["apps.kubernetes.io/pod-index"], out.Labels["statefulset.kubernetes.io/pod-name"] = index, p.name
	}
	out.Spec = p.spec()
	out.Status = p.status(created)
	if p.deleting {
		out.DeletionTimestamp, out.DeletionGracePeriodSeconds = ptr(ago(-20*time.Second)), ptr(int64(30))
	}
	c.pods = append(c.pods, out)
	return out
}

func (p pod) spec() corev1.PodSpec {
	spec := corev1.PodSpec{
		AutomountServiceAccountToken:  ptr(false),
		DNSPolicy:                     corev1.DNSClusterFirst,
		EnableServiceLinks:            ptr(false),
		HostNetwork:                   p.hostNetwork,
		Hostname:                      p.hostname,
		Subdomain:                     p.subdomain,
		PreemptionPolicy:              ptr(corev1.PreemptLowerPriority),
		Priority:                      ptr(int32(0)),
		RestartPolicy:                 corev1.RestartPolicyAlways,
		SchedulerName:                 corev1.DefaultSchedulerName,
		ServiceAccountName:            p.app,
		DeprecatedServiceAccount:      p.app,
		SecurityContext:               &corev1.PodSecurityContext{},
		TerminationGracePeriodSeconds: ptr(int64(30)),
		Containers: []corev1.Container{{
			Name: p.app, Image: p.image, ImagePullPolicy: corev1.PullIfNotPresent, Ports: p.ports,
			ReadinessProbe: &corev1.Probe{
				ProbeHandler:     corev1.ProbeHandler{TCPSocket: &corev1.TCPSocketAction{Port: intstr.FromInt32(p.ports[0].ContainerPort)}},
				FailureThreshold: 3, PeriodSeconds: 5, SuccessThreshold: 1, TimeoutSeconds: 1,
			},
			Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{
				corev1.ResourceCPU: resource.MustParse("250m"), corev1.ResourceMemory: resource.MustParse("256Mi"),
			}},
			TerminationMessagePath: corev1.TerminationMessagePathDefault, TerminationMessagePolicy: corev1.TerminationMessageReadFile,
		}},
	}
	if p.node != nil {
		spec.NodeName = p.node.Name
	}
	if p.hostNetwork {
		spec.DNSPolicy = corev1.DNSClusterFirstWithHostNet
		for i := range spec.Containers[0].Ports {
			spec.Containers[0].Ports[i].HostPort = spec.Containers[0].Ports[i].ContainerPort
		}
	}
	if p.sidecar != nil {
		spec.InitContainers = []corev1.Container{*p.sidecar}
	}
	return spec
}

func (p pod) status(created metav1.Time) corev1.PodStatus {
	status := corev1.PodStatus{Phase: corev1.PodRunning, QOSClass: corev1.PodQOSBurstable}
	if p.node == nil {
		status.Phase = corev1.PodPending
		status.Conditions = []corev1.PodCondition{{
			Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable,
			Message: "0/12 nodes are available: 12 Insufficient cpu.", LastTransitionTime: created,
		}}
		return status
	}
	if p.evicted {
		return corev1.PodStatus{
			Phase: corev1.PodFailed, Reason: "Evicted", QOSClass: corev1.PodQOSBurstable, StartTime: &created,
			Message: "The node was low on resource: ephemeral-storage.",
		}
	}
	status.StartTime = &created
	status.HostIP = p.node.Status.Addresses[0].Address
	status.HostIPs = []corev1.HostIP{{IP: status.HostIP}}
	for i, ip := range p.ips {
		if i == 0 {
			status.PodIP = ip
		}
		status.PodIPs = append(status.PodIPs, corev1.PodIP{IP: ip})
	}
	status.Conditions = p.conditions(created)
	container := corev1.ContainerStatus{
		Name: p.app, Image: p.image, ImageID: p.image + "@sha256:" + hash(p.image), Ready: p.ready, Started: ptr(len(p.ips) > 0),
	}
	if len(p.ips) == 0 {
		status.Phase = corev1.PodPending
		container.ImageID = ""
		container.State.Waiting = &corev1.ContainerStateWaiting{Reason: "ContainerCreating"}
	} else {
		container.ContainerID = "containerd://" + hash(p.name, p.started)
		container.State.Running = &corev1.ContainerStateRunning{StartedAt: metav1.NewTime(created.Add(3 * time.Second))}
	}
	status.ContainerStatuses = []corev1.ContainerStatus{container}
	if p.sidecar != nil {
		container.Name, container.Image, container.ImageID = p.sidecar.Name, p.sidecar.Image, p.sidecar.Image+"@sha256:"+hash(p.sidecar.Image)
		container.ContainerID = "containerd://" + hash(p.sidecar.Name, p.name, p.started)
		status.InitContainerStatuses = []corev1.ContainerStatus{container}
	}
	return status
}

func (p pod) conditions(created metav1.Time) []corev1.PodCondition {
	ready := corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(created.Add(readyAfter))}
	if !p.ready {
		ready.Status, ready.Reason, ready.LastTransitionTime = corev1.ConditionFalse, "ContainersNotReady", created
		ready.Message = "containers with unready status: [" + p.app + "]"
	}
	containers := ready
	containers.Type = corev1.ContainersReady
	return []corev1.PodCondition{
		{Type: corev1.PodScheduled, Status: corev1.ConditionTrue, LastTransitionTime: created},
		{Type: corev1.PodInitialized, Status: corev1.ConditionTrue, LastTransitionTime: created},
		containers, ready,
	}
}

// address is the i-th Pod address of a node, in one family or both.
func address(n *corev1.Node, i int, dualStack bool) []string {
	v4 := strings.TrimSuffix(n.Spec.PodCIDR, "0/24") + strconv.Itoa(i)
	if !dualStack {
		return []string{v4}
	}
	return []string{v4, strings.TrimSuffix(n.Spec.PodCIDRs[1], "/64") + strconv.FormatInt(int64(i), 16)}
}
