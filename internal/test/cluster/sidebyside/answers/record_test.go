package answers

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/service"
	"github.com/slicewright/slicewright/slicer/slicertest"
)

// exchange is a request and its answer.
type exchange struct {
	method, path, contentType string
	body                      []byte
	code                      int
	answer                    []byte
	listed                    bool // the other server is known to answer something else
}

// session is what one writer sent to an API server that was empty at first.
type session []exchange

const kitURL = "http://kit"

// send makes a request and returns the exchange.
func send(ctx context.Context, to http.RoundTripper, host, method, path, contentType string, body []byte) (exchange, error) {
	e := exchange{method: method, path: path, contentType: contentType, body: body}
	request, err := http.NewRequestWithContext(ctx, method, host+path, bytes.NewReader(body))
	if err != nil {
		return e, err
	}
	request.Header.Set("Content-Type", contentType)
	request.Header.Set("Accept", jsonType)
	response, err := to.RoundTrip(request)
	if err != nil {
		return e, err
	}
	defer response.Body.Close()
	e.code = response.StatusCode
	e.answer, err = io.ReadAll(response.Body)
	return e, err
}

const (
	jsonType  = "application/json"
	applyType = "application/apply-patch+yaml"
	slicesAPI = "/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices"
)

// record lets Slicewright live through histories in which only the writer writes, and returns what it sent. Sessions take turns:
// names are generated, or stable, or stable and written by server-side apply.
func record(t *testing.T, histories int) (all []*session) {
	t.Helper()
	o := slicertest.Options{
		ManagedBy: "slices.example.com", Max: 3, Histories: histories,
		Without: []string{"Others", "Namespaces", "Leftovers", "Recreated", "Faults", "Replicas", "LateViews", "Crashes"}, Also: []string{"Apply"},
	}
	found, err := slicertest.Check(o, func(api *slicertest.API) slicertest.Sync {
		s, way := &session{}, len(all)%3
		all = append(all, s)
		return func(ctx context.Context, state slicertest.State) error {
			options := service.Options{ManagedBy: o.ManagedBy, Slices: slicer.Options{MaxEndpointsPerSlice: 3, GeneratedNames: way == 0}}
			plan, err := service.Plan(state.Service, state.Pods, state.Node, state.Own, options)
			if err != nil {
				return err
			}
			return plan.Apply(s.writer(ctx, api, way == 2))
		}
	})
	if err != nil || len(found) > 0 {
		t.Fatal(found, err)
	}
	return all
}

// writer sends the steps of a plan, and keeps what it sends.
func (s *session) writer(ctx context.Context, api http.RoundTripper, applies bool) slicer.Writer {
	do := func(method, name string, o any) error {
		query, contentType := "", jsonType
		if slice, ok := o.(*discoveryv1.EndpointSlice); ok && applies {
			slice = slice.DeepCopy()
			slice.TypeMeta = metav1.TypeMeta{APIVersion: discoveryv1.SchemeGroupVersion.String(), Kind: "EndpointSlice"}
			slice.UID, slice.ResourceVersion, slice.Generation, slice.CreationTimestamp = "", "", 0, metav1.Time{}
			method, name, o = http.MethodPatch, slice.Name, slice
			query, contentType = "?fieldManager=me", applyType
		}
		body, err := json.Marshal(o)
		if err != nil {
			return err
		}
		path := slicesAPI
		if method != http.MethodPost {
			path += "/" + name + query
		}
		e, err := send(ctx, api, kitURL, method, path, contentType, body)
		*s = append(*s, e)
		if err == nil && e.code >= 300 {
			err = fmt.Errorf("%d %s", e.code, e.answer)
		}
		return err
	}
	return slicer.Writer{
		Create: func(o *discoveryv1.EndpointSlice) error { return do(http.MethodPost, "", o) },
		Update: func(o *discoveryv1.EndpointSlice) error { return do(http.MethodPut, o.Name, o) },
		Delete: func(old *discoveryv1.EndpointSlice, p *metav1.Preconditions) error {
			return do(http.MethodDelete, old.Name, metav1.DeleteOptions{Preconditions: p})
		},
	}
}

// inMemory calls f with an empty API server in memory.
func inMemory(t *testing.T, f func(http.RoundTripper)) {
	t.Helper()
	done := false
	_, err := slicertest.Check(slicertest.Options{Replay: "/", Also: []string{"Apply"}}, func(api *slicertest.API) slicertest.Sync {
		return func(context.Context, slicertest.State) error {
			if !done {
				done = true
				f(api)
			}
			return nil
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

//go:embed testdata/requests.txt
var requests string

// byHand is the session of testdata/requests.txt.
func byHand(t *testing.T) *session {
	t.Helper()
	s := &session{}
	long := strings.NewReplacer("MANY", "["+strings.Repeat(`{"addresses":["10.0.0.1"]},`, 1000)+`{"addresses":["10.0.0.1"]}]`, "LONG", strings.Repeat("x", 253))
	inMemory(t, func(to http.RoundTripper) {
		for lines := bufio.NewScanner(strings.NewReader(requests)); lines.Scan(); {
			line, listed := strings.CutPrefix(lines.Text(), "~")
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			method, rest, _ := strings.Cut(line, " ")
			path, body, _ := strings.Cut(rest, " ")
			contentType := jsonType
			if method == http.MethodPatch {
				contentType = "application/merge-patch+json"
			}
			if strings.HasPrefix(body, "application/") || strings.HasPrefix(body, "text/") {
				contentType, body, _ = strings.Cut(body, " ")
			}
			e, err := send(t.Context(), to, kitURL, method, strings.TrimSuffix(slicesAPI+path, "/"), contentType, []byte(long.Replace(body)))
			if err != nil {
				t.Fatal(err)
			}
			e.listed = listed
			*s = append(*s, e)
		}
	})
	return s
}
