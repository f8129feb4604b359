package slicertest_test

import (
	"context"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer/slicertest"
)

// An importer of multi-cluster Services publishes no Pods. It is a sample of how such a writer comes under test: the Pods of the
// State are turned into what the writer reads, here the slices of two clusters, and Options.Want says what follows.

// clusterOf lets Pods of Node node-0 stand for the cluster east, and all others for the cluster west.
func clusterOf(p *corev1.Pod) string {
	if p.Spec.NodeName == "node-0" {
		return "east"
	}
	return "west"
}

// exported are the slices of the Service's Pods of one cluster: one for each endpoint.
func exported(c call, there func(*corev1.Pod) bool) (list []*discoveryv1.EndpointSlice) {
	for _, pod := range c.Pods {
		if !there(pod) || pod.Status.Phase != corev1.PodRunning {
			continue
		}
		for _, ip := range pod.Status.PodIPs {
			family := corev1.IPv4Protocol
			if strings.Contains(ip.IP, ":") {
				family = corev1.IPv6Protocol
			}
			e := c.endpoint(pod, ip.IP)
			s := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressType(family), Endpoints: []discoveryv1.Endpoint{e}}
			s.Namespace, s.Name = c.Service.Namespace, pod.Name+"-"+strings.ToLower(string(family))
			s.Labels = map[string]string{discoveryv1.LabelServiceName: c.Service.Name}
			s.Ports = podPorts(c.Service, pod)
			list = append(list, s)
		}
	}
	return list
}

// importer writes the slices of both clusters; mixed takes all for those of one.
func importer(mixed bool) slicertest.Writer {
	return each(func(c call) error {
		for _, cluster := range []string{"east", "west"} {
			from := exported(c, func(p *corev1.Pod) bool { return clusterOf(p) == cluster && !mixed || mixed && cluster == "east" })
			of := mirror.Import{
				Namespace: c.Service.Namespace, Name: c.Service.Name, Cluster: cluster, ManagedBy: manager, DerivedService: c.Service.Name,
				Owner: metav1.OwnerReference{APIVersion: "v1", Kind: "Service", Name: c.Service.Name, UID: c.Service.UID},
			}
			plan, err := mirror.PlanImport(of, c.Service.Spec.Ports, from, inNamespace(c.Service, c.All), mirror.CopyOptions{})
			if err != nil {
				return err
			}
			if err := plan.Apply(c.writes()); err != nil {
				return err
			}
		}
		return nil
	})
}

// imports wants each running Pod's addresses, in a slice of its cluster and without what only that cluster knows.
func imports(s slicertest.State) (list []slicertest.Want) {
	c := call{Context: context.Background(), State: s}
	for _, cluster := range []string{"east", "west"} {
		for _, slice := range exported(c, func(p *corev1.Pod) bool { return clusterOf(p) == cluster }) {
			e := slice.Endpoints[0]
			list = append(list, slicertest.Want{
				AddressType: slice.AddressType, Ports: slice.Ports,
				Endpoint: discoveryv1.Endpoint{Addresses: e.Addresses, Conditions: e.Conditions},
				Labels: map[string]string{
					"multicluster.kubernetes.io/service-name": s.Service.Name, "multicluster.kubernetes.io/source-cluster": cluster,
				},
			})
		}
	}
	return list
}

// TestOneSliceOneCluster holds an importer to all guarantees: no slice holds endpoints of two clusters, and the slices of a
// cluster that exports nothing more go, and no other's.
func TestOneSliceOneCluster(t *testing.T) {
	o := slicertest.Options{ManagedBy: manager, Want: imports, Without: []string{"ServiceLabels"}, Histories: histories}
	for _, f := range check(t, o, importer(false)) {
		t.Error(f)
	}
	found := check(t, o, importer(true))
	if f := finding(found, "labels"); f.Failed == 0 || !strings.Contains(f.History, "multicluster.kubernetes.io/source-cluster=east, and should be in one with west") {
		t.Errorf("clusters that are mixed are not found: %v", found)
	}
}
