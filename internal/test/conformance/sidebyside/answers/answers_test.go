package answers

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/slicewright/slicewright/internal/test/conformance/apiserver"
	"github.com/slicewright/slicewright/slicer/slicertest"
)

// TestAnswers sends the requests of testdata/requests.txt to the API server in memory and to a real
// kube-apiserver, with that one's names, UIDs and versions, and compares the answers.
func TestAnswers(t *testing.T) {
	server, err := apiserver.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	config := server.Config(apiserver.Admin)
	real, err := rest.TransportFor(config)
	if err != nil {
		t.Fatal(err)
	}
	shop := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop"}}
	if _, err := kubernetes.NewForConfigOrDie(config).CoreV1().Namespaces().Create(t.Context(), shop,
		metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	same := map[string]string{}
	for _, r := range inMemory(t) {
		code, answer := r.code, r.answer
		was := decoded(t, answer)
		r.path, r.body = translate(r.path, same), translate(r.body, same)
		r.send(t, real, config.Host)
		learn(same, was, decoded(t, r.answer))
		was, is := plain(was), plain(decoded(t, []byte(backward(string(r.answer), same))))
		if differ := code != r.code || !reflect.DeepEqual(was, is); differ != r.listed {
			t.Errorf("%s %s %s, listed as different: %t\nin memory: %d %s\nreal:      %d %s", r.method, r.path, r.body,
				r.listed, code, text(was), r.code, text(is))
		}
	}
}

//go:embed testdata/requests.txt
var requests string

// request is a line of testdata/requests.txt, with the last answer to it.
type request struct {
	method, path, contentType, body string
	listed                          bool // the servers are known to answer differently

	code   int
	answer []byte
}

var long = strings.NewReplacer(
	"MANY", "["+strings.Repeat(`{"addresses":["10.0.0.1"]},`, 1000)+`{"addresses":["10.0.0.1"]}]`, "LONG",
	strings.Repeat("x", 253))

// parse reads a line, and is false for one that is no request.
func parse(line string) (r request, ok bool) {
	line, r.listed = strings.CutPrefix(line, "~")
	if line == "" || strings.HasPrefix(line, "#") {
		return r, false
	}
	method, rest, _ := strings.Cut(line, " ")
	path, body, _ := strings.Cut(rest, " ")
	r.method, r.path, r.contentType = method, strings.TrimSuffix(
		"/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices"+path, "/"), "application/json"
	if method == http.MethodPatch {
		r.contentType = "application/merge-patch+json"
	}
	if strings.HasPrefix(body, "application/") || strings.HasPrefix(body, "text/") {
		r.contentType, body, _ = strings.Cut(body, " ")
	}
	r.body = long.Replace(body)
	return r, true
}

// send makes the request, and keeps the answer.
func (r *request) send(t *testing.T, to http.RoundTripper, host string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), r.method, host+r.path, strings.NewReader(r.body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", r.contentType)
	request.Header.Set("Accept", "application/json")
	response, err := to.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	r.code = response.StatusCode
	if r.answer, err = io.ReadAll(response.Body); err != nil {
		t.Fatal(err)
	}
}

// inMemory sends all requests to an empty API server in memory.
func inMemory(t *testing.T) (list []request) {
	t.Helper()
	_, err := slicertest.Check(slicertest.Options{Replay: "/", Also: []string{"Apply"}},
		func(api *slicertest.API) slicertest.Sync {
			return func(context.Context, slicertest.State) error {
				if len(list) > 0 {
					return nil
				}
				for lines := bufio.NewScanner(strings.NewReader(requests)); lines.Scan(); {
					if r, ok := parse(lines.Text()); ok {
						r.send(t, api, "http://kit")
						list = append(list, r)
					}
				}
				return nil
			}
		})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// translate puts the other server's words in the place of the recorded ones, which are quoted or
// parts of a path.
func translate(text string, same map[string]string) string {
	var pairs []string
	for from, to := range same {
		pairs = append(pairs, from, to)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

func backward(text string, same map[string]string) string {
	back := map[string]string{}
	for from, to := range same {
		back[to] = from
	}
	return translate(text, back)
}

// learn notes the names, UIDs and versions that two answers have for the same.
func learn(same map[string]string, was, is map[string]any) {
	a, _ := was["metadata"].(map[string]any)
	b, _ := is["metadata"].(map[string]any)
	for _, key := range []string{"name", "uid", "resourceVersion"} {
		from, ok := a[key].(string)
		to, found := b[key].(string)
		if ok && found && from != "" {
			same[`"`+from+`"`] = `"` + to + `"`
			if key == "name" {
				same["/"+from] = "/" + to
			}
		}
	}
}

func decoded(t *testing.T, data []byte) map[string]any {
	t.Helper()
	o := map[string]any{}
	if err := json.Unmarshal(data, &o); err != nil {
		t.Fatalf("%v in %q", err, data)
	}
	return o
}

// plain leaves out of an answer what differs from server to server, and what this server does not
// claim: of an error its words and details, of an object who manages its fields.
func plain(o map[string]any) map[string]any {
	if o["kind"] == "Status" {
		return map[string]any{"status": o["status"], "reason": o["reason"], "code": o["code"]}
	}
	meta, _ := o["metadata"].(map[string]any)
	for _, key := range []string{"managedFields", "creationTimestamp", "uid", "resourceVersion"} {
		delete(meta, key)
	}
	if meta["deletionTimestamp"] != nil {
		meta["deletionTimestamp"] = "a time"
	}
	items, _ := o["items"].([]any)
	for _, item := range items {
		plain(item.(map[string]any))
	}
	return o
}

func text(o map[string]any) string {
	data, _ := json.Marshal(o)
	return string(data)
}
