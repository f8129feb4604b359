package dedup_test

import (
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup"
)

// TestOriginIsAChange: that a port has another application protocol, or the slice another label that is asked for, is a change of
// its endpoints; of another port or label it is none.
func TestOriginIsAChange(t *testing.T) {
	ix := newIndex(dedup.Options{Labels: []string{labelCluster}})
	s := slice("web-a", "10.0.0.1")
	s.Labels[labelCluster] = "east"
	s.Ports = append(s.Ports, discoveryv1.EndpointPort{Name: ptr("metrics"), Port: ptr(int32(9090))})
	ix.Upsert(s)
	ix.Flush()
	old := ix.View()
	for _, row := range []struct {
		why    string
		change func(*discoveryv1.EndpointSlice)
		want   string
	}{
		{"a label that nobody asks for", func(s *discoveryv1.EndpointSlice) { s.Labels["team"] = "blue" }, ""},
		{"an application protocol", func(s *discoveryv1.EndpointSlice) { s.Ports[0].AppProtocol = ptr("kubernetes.io/h2c") },
			"default/web:http/TCP ~10.0.0.1:8080(appProtocol)"},
		{"that of another port", func(s *discoveryv1.EndpointSlice) { s.Ports[1].AppProtocol = ptr("http") },
			"default/web:metrics/TCP ~10.0.0.1:9090(appProtocol)"},
		{"the cluster", func(s *discoveryv1.EndpointSlice) { s.Labels[labelCluster] = "west" },
			"default/web:http/TCP ~10.0.0.1:8080(labels) default/web:metrics/TCP ~10.0.0.1:9090(labels)"},
		{"no cluster", func(s *discoveryv1.EndpointSlice) { delete(s.Labels, labelCluster) },
			"default/web:http/TCP ~10.0.0.1:8080(labels) default/web:metrics/TCP ~10.0.0.1:9090(labels)"},
	} {
		s = s.DeepCopy()
		row.change(s)
		ix.Upsert(s)
		texts := []string{}
		for _, d := range flushed(ix) {
			texts = append(texts, d.String())
		}
		if got := strings.Join(texts, " "); got != row.want {
			t.Errorf("%s: got %q, want %q", row.why, got, row.want)
		}
	}
	for e := range old.Endpoints(webHTTP) {
		if e.Labels[labelCluster] != "east" || e.AppProtocol != "" {
			t.Errorf("an old view has another endpoint now: %+v", e)
		}
	}
	for e := range ix.View().Endpoints(webHTTP) {
		if e.Labels != nil || e.AppProtocol != "kubernetes.io/h2c" {
			t.Errorf("got %+v", e)
		}
	}
}
