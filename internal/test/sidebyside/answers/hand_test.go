package answers

import (
	"net/http"
	"strings"
	"testing"
)

const (
	good = `{"metadata":{"name":"web-1","namespace":"shop","labels":{"kubernetes.io/service-name":"web"}},"addressType":"IPv4",` +
		`"ports":[{"name":"http","port":80}],"endpoints":[{"addresses":["10.0.0.1"]}]}`
	mergePatch = "application/merge-patch+json"
)

// byHand is a session of requests that are refused, and of the details of those that are not.
func byHand(t *testing.T) *session {
	t.Helper()
	with := func(old, new string) string { return strings.Replace(good, old, new, 1) }
	many := strings.Repeat(`{"addresses":["10.0.0.1"]},`, 1000)
	s := &session{}
	inMemory(t, func(to http.RoundTripper) {
		for _, r := range []struct{ method, path, contentType, body string }{
			{"POST", "", jsonType, good},
			{"POST", "", jsonType, good}, // it is there already
			{"GET", "/web-1", jsonType, ""},
			{"GET", "/web-2", jsonType, ""},
			{"PUT", "/web-2", jsonType, with("web-1", "web-2")},
			{"PUT", "/web-1", jsonType, with("IPv4", "IPv6")},
			{"PUT", "/web-1", jsonType, with("10.0.0.1", "fd00::1")},
			{"PUT", "/web-1", jsonType, with(`"name":"web-1"`, `"name":"web-1","resourceVersion":"999999999"`)},
			{"PUT", "/web-1", jsonType, with(`"name":"web-1"`, `"name":"web-1","uid":"another"`)},
			{"PUT", "/web-1", jsonType, with("10.0.0.1", "10.0.0.2")}, // a new generation
			{"PUT", "/web-1", jsonType, with("10.0.0.1", "10.0.0.2")}, // nothing changes
			{"PUT", "/web-1", jsonType, with(`"labels"`, `"annotations":{"a":"b"},"labels"`)},
			{"POST", "", jsonType, with("web-1", "Web_1")},
			{"POST", "", jsonType, with(`"name":"web-1"`, `"name":"web-3","resourceVersion":"1"`)},
			{"POST", "", jsonType, strings.Replace(with("web-1", "web-3"), "10.0.0.1", "127.0.0.1", 1)},
			{"POST", "", jsonType, strings.Replace(with("web-1", "web-3"), "IPv4", "IPv5", 1)},
			{"POST", "", jsonType, strings.Replace(with("web-1", "web-3"), `"http"`, `"HTTP"`, 1)},
			{"POST", "", jsonType, strings.Replace(with("web-1", "web-3"), `"port":80`, `"port":80,"protocol":"ICMP"`, 1)},
			{"POST", "", jsonType, strings.Replace(with("web-1", "web-3"), `[{"addresses"`, "["+many+`{"addresses"`, 1)},
			{"POST", "", jsonType, strings.Replace(with("web-1", "web-3"), `["10.0.0.1"]`, `[]`, 1)},
			{"POST", "", jsonType, with("web-1", "")},
			{"POST", "", jsonType, "{"},
			{"PATCH", "/web-1", mergePatch, `{"metadata":{"labels":{"a":"b"}}}`},
			{"PATCH", "/web-1", mergePatch, `{"metadata":{"labels":{"a":null}},"endpoints":null}`},
			{"PATCH", "/web-1", mergePatch, `{"metadata":{"resourceVersion":"999999999"}}`},
			{"PATCH", "/web-2", mergePatch, `{}`},
			{"DELETE", "/web-1", jsonType, `{"kind":"DeleteOptions","apiVersion":"v1","preconditions":{"uid":"another"}}`},
			{"DELETE", "/web-1", jsonType, `{"kind":"DeleteOptions","apiVersion":"v1","preconditions":{"resourceVersion":"1"}}`},
			{"PATCH", "/web-1", mergePatch, `{"metadata":{"finalizers":["example.com/wait"]}}`},
			{"PATCH", "/web-1", mergePatch, `{"metadata":{"finalizers":null}}`},
			{"DELETE", "/web-2", jsonType, ""},
		} {
			e, err := send(t.Context(), to, kitURL, r.method, slicesAPI+r.path, r.contentType, []byte(r.body))
			if err != nil {
				t.Fatal(err)
			}
			*s = append(*s, e)
		}
	})
	return s
}
