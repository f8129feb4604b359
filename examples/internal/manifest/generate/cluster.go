package main

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// today is when somebody typed kubectl get.
var today = time.Date(2026, time.November, 18, 9, 30, 0, 0, time.UTC)

// cluster collects the objects of one file.
type cluster struct {
	services, pods, nodes, slices, endpoints []runtime.Object
}

// ago is a time before today.
func ago(d time.Duration) metav1.Time { return metav1.NewTime(today.Add(-d)) }

// hash is text that differs for each set of words, and is the same in each run.
func hash(words ...any) string {
	sum := sha256.Sum256([]byte(fmt.Sprintln(words...)))
	return hex.EncodeToString(sum[:])
}

func uid(words ...any) types.UID {
	h := hash(words...)
	return types.UID(fmt.Sprintf("%s-%s-4%s-a%s-%s", h[:8], h[8:12], h[13:16], h[17:20], h[20:32]))
}

// suffix is what the API server puts behind a generateName: five characters, none of which makes a word.
func suffix(words ...any) string {
	const letters = "bcdfghjklmnpqrstvwxz2456789"
	sum := sha256.Sum256([]byte(fmt.Sprintln(words...)))
	out := make([]byte, 5)
	for i := range out {
		out[i] = letters[int(sum[i])%len(letters)]
	}
	return string(out)
}

// number is below limit, and differs as hash does.
func number(limit uint64, words ...any) int {
	sum := sha256.Sum256([]byte(fmt.Sprintln(words...)))
	return int(binary.BigEndian.Uint64(sum[:]) % limit)
}

// meta fills in what the API server adds to every object. It is the same in each file, so that files which share Nodes
// can be read together.
func meta(kind, namespace, name string, created metav1.Time) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Name: name, Namespace: namespace,
		UID:               uid(kind, namespace, name, created.Unix()),
		ResourceVersion:   strconv.Itoa(48_120_000 + number(1_000_000, kind, namespace, name)),
		CreationTimestamp: created,
	}
}

func ptr[T any](v T) *T { return &v }

const region = "eu-central-1"

// node adds the i-th node, in zone "a", "b" or "c".
func (c *cluster) node(i int, zone string) *corev1.Node {
	ip := fmt.Sprintf("10.20.%d.%d", zone[0]-'a', 10+i)
	name := fmt.Sprintf("ip-10-20-%d-%d.%s.compute.internal", zone[0]-'a', 10+i, region)
	n := &corev1.Node{ObjectMeta: meta("Node", "", name, ago(21*24*time.Hour))}
	n.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Node"))
	n.Labels = map[string]string{
		corev1.LabelArchStable: "amd64", corev1.LabelOSStable: "linux",
		corev1.LabelHostname: name, corev1.LabelInstanceTypeStable: "m7i.2xlarge",
		corev1.LabelTopologyRegion: region, corev1.LabelTopologyZone: region + zone,
	}
	n.Spec.PodCIDR = fmt.Sprintf("10.244.%d.0/24", i)
	n.Spec.PodCIDRs = []string{n.Spec.PodCIDR, fmt.Sprintf("fd00:10:244:%x::/64", i)}
	n.Spec.ProviderID = fmt.Sprintf("aws:///%s%s/i-0%s", region, zone, hash(name)[:16])
	n.Status = corev1.NodeStatus{
		Addresses: []corev1.NodeAddress{
			{Type: corev1.NodeInternalIP, Address: ip},
			{Type: corev1.NodeHostName, Address: name},
		},
		Capacity:    quantities("8", "32315Mi"),
		Allocatable: quantities("7910m", "31291Mi"),
		Conditions: []corev1.NodeCondition{
			nodeCondition(corev1.NodeMemoryPressure, corev1.ConditionFalse, "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
			nodeCondition(corev1.NodeDiskPressure, corev1.ConditionFalse, "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
			nodeCondition(corev1.NodeReady, corev1.ConditionTrue, "KubeletReady", "kubelet is posting ready status"),
		},
		DaemonEndpoints: corev1.NodeDaemonEndpoints{KubeletEndpoint: corev1.DaemonEndpoint{Port: 10250}},
		NodeInfo: corev1.NodeSystemInfo{
			MachineID: hash("machine", name)[:32], SystemUUID: string(uid("system", name)), BootID: string(uid("boot", name)),
			KernelVersion: "6.12.55", OSImage: "Bottlerocket OS 1.49.0", ContainerRuntimeVersion: "containerd://2.1.5",
			KubeletVersion: "v1.36.2", OperatingSystem: "linux", Architecture: "amd64",
		},
	}
	c.nodes = append(c.nodes, n)
	return n
}

// controlPlane adds the i-th node as one that runs the control plane.
func (c *cluster) controlPlane(i int, zone string) *corev1.Node {
	n := c.node(i, zone)
	n.Labels["node-role.kubernetes.io/control-plane"] = ""
	n.Spec.Taints = []corev1.Taint{{Key: "node-role.kubernetes.io/control-plane", Effect: corev1.TaintEffectNoSchedule}}
	return n
}

func quantities(cpu, memory string) corev1.ResourceList {
	return corev1.ResourceList{
		corev1.ResourceCPU:    resource.MustParse(cpu),
		corev1.ResourceMemory: resource.MustParse(memory),
		corev1.ResourcePods:   resource.MustParse("110"),
	}
}

func nodeCondition(t corev1.NodeConditionType, status corev1.ConditionStatus, reason, message string) corev1.NodeCondition {
	return corev1.NodeCondition{
		Type: t, Status: status, Reason: reason, Message: message,
		LastHeartbeatTime: ago(2 * time.Minute), LastTransitionTime: ago(21 * 24 * time.Hour),
	}
}
