package scenarios

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/slicewright/slicewright/internal/test/nightly"
	"github.com/slicewright/slicewright/internal/test/quoted"
)

// allTexts are objects with each text that a command reads.
const allTexts = `{"apiVersion": "v1", "kind": "List", "items": [
{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web", "namespace": "shop", "uid": "u1", "labels": {"a": "b"},
  "annotations": {"service.kubernetes.io/topology-mode": "Auto"}},
 "spec": {"type": "ClusterIP", "clusterIP": "10.96.0.1", "clusterIPs": ["10.96.0.1"], "ipFamilies": ["IPv4"], "selector": {"app": "web"},
  "internalTrafficPolicy": "Cluster", "trafficDistribution": "PreferSameZone", "externalName": "", "sessionAffinity": "None",
  "ports": [{"name": "http", "port": 80, "protocol": "TCP", "targetPort": "web", "appProtocol": "http"}]}},
{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "db", "namespace": "shop"},
 "spec": {"clusterIP": "10.96.0.2", "ports": [{"name": "sql", "port": 3306}]}},
{"apiVersion": "v1", "kind": "Endpoints", "metadata": {"name": "db", "namespace": "shop"},
 "subsets": [{"addresses": [{"ip": "10.1.0.1", "hostname": "h", "nodeName": "n1",
   "targetRef": {"kind": "Pod", "namespace": "shop", "name": "p", "uid": "u"}}], "ports": [{"name": "sql", "port": 3306, "protocol": "TCP"}]}]},
{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web-1", "namespace": "shop", "uid": "p1", "labels": {"app": "web"}},
 "spec": {"nodeName": "n1", "hostname": "h", "subdomain": "web",
  "containers": [{"name": "c", "ports": [{"name": "web", "containerPort": 8080, "protocol": "TCP"}]}]},
 "status": {"phase": "Running", "podIP": "10.0.0.1", "podIPs": [{"ip": "10.0.0.1"}], "conditions": [{"type": "Ready", "status": "True"}]}},
{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web-2", "namespace": "shop", "labels": {"app": "web"}},
 "spec": {"nodeName": "n2"}, "status": {"phase": "Pending"}},
{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1", "labels": {"topology.kubernetes.io/zone": "a"}}, "status": {"allocatable": {"cpu": "8"},
  "conditions": [{"type": "Ready", "status": "True"}]}},
{"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", "metadata": {"name": "web-a", "namespace": "shop", "uid": "s1", "resourceVersion": "7",
  "labels": {"kubernetes.io/service-name": "web", "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io"},
  "annotations": {"endpoints.kubernetes.io/last-change-trigger-time": "2026-01-02T03:04:05Z"},
  "ownerReferences": [{"apiVersion": "v1", "kind": "Service", "name": "web", "uid": "u1", "controller": true}]},
 "addressType": "IPv4", "ports": [{"name": "http", "port": 8080, "protocol": "TCP", "appProtocol": "http"}, {"name": "odd", "port": 81}],
 "endpoints": [{"addresses": ["10.0.0.1"], "nodeName": "n1", "zone": "a", "hostname": "h", "deprecatedTopology": {"a": "b"},
   "targetRef": {"kind": "Pod", "namespace": "shop", "name": "web-1", "uid": "p1"}, "conditions": {"ready": true},
   "hints": {"forZones": [{"name": "a"}], "forNodes": [{"name": "n1"}]}}, {"addresses": ["10.0.0.9"], "conditions": {"ready": false}}]},
{"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", "metadata": {"name": "web-b", "namespace": "shop",
  "labels": {"kubernetes.io/service-name": "web", "endpointslice.kubernetes.io/managed-by": "another"}},
 "addressType": "FQDN", "ports": [{"name": "http", "port": 8080}], "endpoints": [{"addresses": ["web.example.org"]}]}]}`

// PrintsQuoted runs a command with each of several lines of flags. Each text and each key of the
// input, one after the other, gets a line break, an escape sequence and a character that changes
// the direction of writing. None of them is printed as it is.
func (c Command) PrintsQuoted(t *testing.T, lines ...string) {
	nightly.Slow(t)
	var tree any
	if err := json.Unmarshal([]byte(allTexts), &tree); err != nil {
		t.Fatal(err)
	}
	texts, printed := 0, 0
	try := func(path string) {
		texts++
		text, err := json.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines {
			answer := c.Answer(append(strings.Fields(line), "-"), string(text))
			if strings.Contains(answer, "\nINJECTED") || strings.Contains(answer, "\x1b") ||
				strings.Contains(answer, "\u202e") {
				t.Errorf("%s with %s is printed as it is:\n%s", line, path, answer)
			}
			if strings.Contains(answer, "INJECTED") {
				printed++
			}
		}
	}
	spoil(tree, "", func(any) {}, try)
	if texts < 100 || printed < 100 {
		t.Errorf("%d texts, of which %d are printed: the input has too few", texts, printed)
	}
}

// spoil calls try with each text and each key of a decoded value changed. set changes the value
// itself.
func spoil(v any, path string, set func(any), try func(path string)) {
	switch v := v.(type) {
	case string:
		for _, odd := range []string{quoted.Odd, v + quoted.Odd} {
			set(odd)
			try(path)
		}
		set(v)
	case []any:
		for i := range v {
			spoil(v[i], fmt.Sprintf("%s[%d]", path, i), func(to any) { v[i] = to }, try)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			spoil(v[key], path+"."+key, func(to any) { v[key] = to }, try)
			v[quoted.Odd] = v[key]
			try(path + "." + key + " as another key")
			delete(v, quoted.Odd)
		}
	}
}
