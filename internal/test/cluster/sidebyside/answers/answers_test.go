package answers

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/slicewright/slicewright/internal/test/cluster/apiserver"
)

// TestAnswers plays recorded histories, and one by hand with what is refused, against a real kube-apiserver. SLICEWRIGHT_CASES is how
// many are recorded, 20 without it.
func TestAnswers(t *testing.T) {
	cases := 20
	if n, err := strconv.Atoi(os.Getenv("SLICEWRIGHT_CASES")); err == nil {
		cases = n
	}
	sessions := append(record(t, cases), byHand(t))
	methods := map[string]int{}
	for _, s := range sessions {
		for _, e := range *s {
			methods[e.method]++
		}
	}
	t.Logf("%d sessions, requests: %v", len(sessions), methods)
	if len(methods) != 5 {
		t.Error("want requests of all methods")
	}
	server, err := apiserver.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	config := server.Config(apiserver.Admin)
	transport, err := rest.TransportFor(config)
	if err != nil {
		t.Fatal(err)
	}
	namespaces := kubernetes.NewForConfigOrDie(config).CoreV1().Namespaces()
	for i, s := range sessions {
		name := fmt.Sprintf("shop-%d", i)
		if _, err := namespaces.Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		compare(t, i, s, transport, config.Host, name)
	}
}

// compare sends a session to another server, with that server's names, UIDs and versions, and compares the answers.
func compare(t *testing.T, number int, s *session, to http.RoundTripper, host, namespace string) {
	t.Helper()
	same := map[string]string{`"shop"`: `"` + namespace + `"`, "/shop/": "/" + namespace + "/"}
	for i, e := range *s {
		body, path := translate(string(e.body), same), translate(e.path, same)
		got, err := send(t.Context(), to, host, e.method, path, e.contentType, []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		was, is := decoded(t, e.answer), decoded(t, got.answer)
		learn(same, was, is)
		was, is = plain(was), plain(decoded(t, []byte(backward(string(got.answer), same))))
		if differ := e.code != got.code || !reflect.DeepEqual(was, is); differ != e.listed {
			t.Errorf("session %d, request %d, listed as different: %t\n%s %s %s\nin memory: %d %s\nreal:      %d %s",
				number, i, e.listed, e.method, e.path, e.body, e.code, text(was), got.code, text(is))
		}
	}
}

// translate puts the other server's words in the place of the recorded ones, which are quoted or parts of a path.
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

// plain leaves out of an answer what differs from server to server, and what this server does not claim: of an error its words
// and details, of an object who manages its fields.
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
