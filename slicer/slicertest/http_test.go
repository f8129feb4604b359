package slicertest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/internal/test/kit"
)

const slicesURL = "http://kit/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices"

// serving is an API with one Service, two Pods and their Nodes, outside of a history.
func serving(t *testing.T) *API {
	t.Helper()
	r := claimsAll.newReplay(newWorld(), &kit.Log{Silent: true})
	r.world.addPods(2)
	r.api.state = r.state()
	return r.api
}

// send makes a request with a body of the type, decodes the answer, of the accepted type, into an
// object, and returns its code.
func send(t *testing.T, api *API, method, url, contentType, accept string, body []byte, into runtime.Object) int {
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
		err = decode(&http.Request{Header: response.Header, Body: response.Body}, into)
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
	if contentType == protobufType {
		var response *http.Response
		if response, err = answer(nil, 0, contentType, o); err == nil {
			data, err = io.ReadAll(response.Body)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func newSlice(name string) *discoveryv1.EndpointSlice {
	s := &discoveryv1.EndpointSlice{AddressType: discoveryv1.AddressTypeIPv4}
	s.Name, s.Labels = name, map[string]string{discoveryv1.LabelServiceName: serviceName}
	s.Endpoints = []discoveryv1.Endpoint{{Addresses: []string{"10.0.0.1"}}}
	return s
}

// TestVerbs sends and accepts JSON and protobuf, in all four ways.
func TestVerbs(t *testing.T) {
	for _, contentType := range []string{jsonType, protobufType} {
		for _, accept := range []string{jsonType, protobufType + "," + jsonType} {
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
				stored.GroupVersionKind() != slicesKind.WithKind("EndpointSlice") {
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

// TestRefusals has one row for each request that this server does not support.
func TestRefusals(t *testing.T) {
	const table = jsonType + ";as=Table;v=v1;g=meta.k8s.io"
	good := string(encoded(t, newSlice("web-1"), jsonType))
	for _, row := range []struct {
		why, method, path, contentType, body string
		code                                 int
		text, accept                         string
	}{
		{"a table", "GET", "", "", "", 406, "Table", table},
		{"JSON that says it is protobuf", "POST", "", protobufType, good, 400, "cannot be read", ""},
		{"a text", "POST", "", "text/plain", good, 415, "content type", ""},
		{"another kind", "POST", "", jsonType, `{"kind":"Pod","apiVersion":"v1"}`, 400, "is a /v1, Kind=Pod", ""},
		{"a watch", "GET", "?watch=true", jsonType, "", 405, "slicertest has no watches", ""},
		{"a dry run", "POST", "?dryRun=All", jsonType, good, 405, "slicertest has no dry runs", ""},
		{"a subresource", "GET", "/web-1/status", jsonType, "", 405, "slicertest has no GET", ""},
		{"a deletion of everything", "DELETE", "", jsonType, "", 405, "slicertest has no DELETE", ""},
		{"a JSON patch", "PATCH", "/web-1", string(types.JSONPatchType), "[]", 415, "merge-patch", ""},
		{"server-side apply", "PATCH", "/web-1", string(types.ApplyYAMLPatchType), good, 415, "merge-patch", ""},
		{"a strategic patch of a list that it merges", "PATCH", "/web-1", string(types.StrategicMergePatchType), `{"metadata":{"finalizers":[]}}`, 415, "merge-patch", ""},
		{"another verb", "OPTIONS", "/web-1", jsonType, "", 405, "slicertest has no OPTIONS", ""},
	} {
		api := serving(t)
		if _, err := api.Create(t.Context(), newSlice("web-1"), metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		var status metav1.Status
		code := send(t, api, row.method, slicesURL+row.path, row.contentType, cmp.Or(row.accept, jsonType),
			[]byte(row.body), &status)
		if code != row.code || int(status.Code) != code || !strings.Contains(status.Message, row.text) {
			t.Errorf("%s: %d %s, want %d with %q", row.why, code, status.Message, row.code, row.text)
		}
	}
	var list discoveryv1.EndpointSliceList
	if code := send(t, serving(t), "GET", slicesURL, "", table+","+jsonType, nil, &list); code != 200 {
		t.Errorf("a table, or what there is: %d", code)
	}
}

// TestReads: what a REST mapper asks for on its way from the groups to the resources, and what the
// State has. Each answer has its code and these words.
func TestReads(t *testing.T) {
	api := serving(t)
	for path, want := range map[string]string{
		"api":                      `200 APIVersions "v1"`,
		"api/v1":                   `200 APIResourceList "Service" "Pod" "Node"`,
		"apis":                     `200 APIGroupList "discovery.k8s.io"`,
		"apis/discovery.k8s.io":    `200 "APIGroup" "discovery.k8s.io/v1"`,
		"apis/discovery.k8s.io/v1": `200 APIResourceList "EndpointSlice"`,

		"api/v1/namespaces/shop/services/web":                  `200 "Service" "service-1"`,
		"api/v1/namespaces/shop/pods?labelSelector=app%3Dweb":  `200 "PodList" "web-1" "web-2"`,
		"api/v1/namespaces/shop/pods?labelSelector=app%3Dnone": `200 "PodList" "items":null`,
		"api/v1/namespaces/other/pods":                         `200 "PodList" "items":null`,
		"api/v1/nodes":                                         `200 "NodeList" "node-0" "node-1" "node-2"`,
		"api/v1/nodes/node-9":                                  `404 "Status" NotFound`,
		"api/v1/namespaces/shop/secrets":                       `405 "Status"`,
		"apis/apps/v1/deployments":                             `405 "Status"`,
		"":                                                     `405 "Status"`,
	} {
		response, err := (&http.Client{Transport: api}).Get("http://kit/" + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		got := fmt.Sprint(response.StatusCode, " ", string(body))
		for _, word := range strings.Fields(want) {
			if err != nil || !strings.Contains(got, word) {
				t.Errorf("%s: %s, want %s, %v", path, got, want, err)
			}
		}
	}
	var status metav1.Status
	if got := send(t, api, "POST", "http://kit/api/v1/namespaces/shop/pods", jsonType, jsonType, nil,
		&status); got != 405 {
		t.Errorf("a Pod is created: %d", got)
	}
}
