package slicertest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/slicewright/slicewright/internal/test/kit"
	"github.com/slicewright/slicewright/internal/test/sim"
)

const slicesURL = "http://kit/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices"

// serving is a server with one Service, two Pods and their Nodes, outside of a history.
func serving(t *testing.T) *server {
	t.Helper()
	r := claimsAll.newReplay(newCluster(), &kit.Log{Silent: true})
	r.cluster.addPods(2)
	r.api.state = r.state()
	return r.api
}

// send makes a request with a body of the type, decodes the answer, of the accepted type, into an
// object, and returns its code.
func send(t *testing.T, api *server, method, url, contentType, accept string, body []byte, into runtime.Object) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", contentType)
	request.Header.Set("Accept", accept)
	response, err := (&http.Client{Transport: api}).Do(request)
	if err == nil {
		defer response.Body.Close()
		err = sim.Decode(&http.Request{Header: response.Header, Body: response.Body}, into)
	}
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode
}

// encoded is an object as clients send it: with its kind, or in JSON without, as encoding/json
// does.
func encoded(t *testing.T, o runtime.Object, contentType string) []byte {
	t.Helper()
	data, err := json.Marshal(o)
	if contentType == sim.Protobuf {
		var response *http.Response
		if response, err = sim.Answer(nil, 0, contentType, o); err == nil {
			data, err = io.ReadAll(response.Body)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestVerbs sends and accepts JSON and protobuf, in all four ways.
func TestVerbs(t *testing.T) {
	for _, contentType := range []string{sim.JSON, sim.Protobuf} {
		for _, accept := range []string{sim.JSON, sim.Protobuf + "," + sim.JSON} {
			api, s := serving(t), newSlice("web-1")
			var stored, again discoveryv1.EndpointSlice
			var list, none discoveryv1.EndpointSliceList
			var status, done metav1.Status
			call := func(method, path string, body, into runtime.Object) int {
				t.Helper()
				var data []byte
				if body != nil {
					data = encoded(t, body, contentType)
				}
				return send(t, api, method, slicesURL+path, contentType, accept, data, into)
			}
			if code := call("POST", "", s, &stored); code != 201 || stored.UID == "" || stored.Namespace != "shop" ||
				stored.GroupVersionKind() != discoveryv1.SchemeGroupVersion.WithKind("EndpointSlice") {
				t.Fatalf("create: %d, %v", code, stored)
			}
			stored.Endpoints[0].Addresses[0] = "10.0.0.2"
			old := stored.ResourceVersion
			if code := call("PUT", "/web-1", &stored, &stored); code != 200 || stored.ResourceVersion == old {
				t.Fatalf("update: %d, %v", code, stored)
			}
			if code := call("GET", "/web-1", nil, &again); code != 200 ||
				again.Endpoints[0].Addresses[0] != "10.0.0.2" {
				t.Fatalf("get: %d, %v", code, again)
			}
			code := call("GET", "?labelSelector=kubernetes.io%2Fservice-name%3Dweb", nil, &list)
			if code != 200 || len(list.Items) != 1 || list.Items[0].Kind != "" || list.ResourceVersion == "" ||
				list.Kind != "EndpointSliceList" {
				t.Fatalf("list: %d, %v", code, list)
			}
			if call("GET", "?fieldSelector=metadata.name%3Dother", nil, &none); len(none.Items) != 0 {
				t.Fatalf("list by name: %v", none)
			}
			late := metav1.DeleteOptions{Preconditions: &metav1.Preconditions{ResourceVersion: &old}}
			if code := call("DELETE", "/web-1", &late, &status); code != 409 ||
				status.Reason != metav1.StatusReasonConflict {
				t.Fatalf("delete of what has changed: %d, %v", code, status)
			}
			if code := call("DELETE", "/web-1", nil, &done); code != 200 || done.Status != "Success" {
				t.Fatalf("delete: %d, %v", code, done)
			}
		}
	}
}

// TestRequestsAreBounded: what a request leaves behind is bounded: its name, its body, and how many
// writes are kept that come after their sync has returned.
func TestRequestsAreBounded(t *testing.T) {
	api := serving(t)
	_, _ = client{api, namespace}.Get(t.Context(), strings.Repeat("a", 10*maxNameKept), metav1.GetOptions{})
	if got := len(api.journal[len(api.journal)-1].name); got != maxNameKept {
		t.Errorf("a name of %d bytes is kept, want %d", got, maxNameKept)
	}

	const pod = `"kind":"Pod","apiVersion":"v1"}`
	for size, want := range map[int]int{largestBody: http.StatusBadRequest,
		largestBody + 1: http.StatusRequestEntityTooLarge} {
		body := "{" + strings.Repeat(" ", size-len(pod)-1) + pod
		if code := send(t, api, "POST", slicesURL, sim.JSON, sim.JSON, []byte(body), &metav1.Status{}); code != want {
			t.Errorf("a request of %d bytes is answered with %d, want %d", len(body), code, want)
		}
	}

	api.activate(false)
	for range 10 * lateKept {
		_, _ = client{api, namespace}.Create(t.Context(), newSlice("web-2"), metav1.CreateOptions{})
	}
	if len(api.late) != lateKept {
		t.Errorf("%d writes after a sync are kept, want %d", len(api.late), lateKept)
	}
}

// The bounds of TestRequestsAreBounded, as numbers: a bound that is removed must not remove them.
const (
	maxNameKept = 1000
	largestBody = 3 << 20
	lateKept    = 3
)
