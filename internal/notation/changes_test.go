package notation

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

type fields = func(*discoveryv1.Endpoint)

// one is an endpoint with these fields.
func one(address string, set ...fields) discoveryv1.Endpoint {
	e := at(address)
	for _, f := range set {
		f(&e)
	}
	return e
}

func pod(name string, uid types.UID) fields {
	return func(e *discoveryv1.Endpoint) {
		e.TargetRef = &corev1.ObjectReference{Kind: "Pod", Namespace: "ns", Name: name, UID: uid}
	}
}

func version(rv string) fields {
	return func(e *discoveryv1.Endpoint) { e.TargetRef.ResourceVersion = rv }
}

// vm names a target by what is printed only where it differs.
func vm(api, path string) fields {
	return func(e *discoveryv1.Endpoint) {
		e.TargetRef = &corev1.ObjectReference{Kind: "VM", Namespace: "ns", Name: "a", APIVersion: api, FieldPath: path}
	}
}

func isReady(ready bool) fields {
	return func(e *discoveryv1.Endpoint) { e.Conditions.Ready = &ready }
}

func node(name string) fields { return func(e *discoveryv1.Endpoint) { e.NodeName = &name } }
func zone(name string) fields { return func(e *discoveryv1.Endpoint) { e.Zone = &name } }
func host(name string) fields { return func(e *discoveryv1.Endpoint) { e.Hostname = &name } }

func topology(key, value string) fields {
	return func(e *discoveryv1.Endpoint) { e.DeprecatedTopology = map[string]string{key: value} }
}

func slice(port int32, endpoints ...discoveryv1.Endpoint) *discoveryv1.EndpointSlice {
	return &discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns"}, Endpoints: endpoints,
		Ports: []discoveryv1.EndpointPort{{Port: &port}},
	}
}

func also(e discoveryv1.Endpoint, address string) discoveryv1.Endpoint {
	e.Addresses = append(e.Addresses, address)
	return e
}

func hinted(zones ...string) fields {
	return func(e *discoveryv1.Endpoint) {
		e.Hints = &discoveryv1.EndpointHints{}
		for _, z := range zones {
			e.Hints.ForZones = append(e.Hints.ForZones, discoveryv1.ForZone{Name: z})
		}
	}
}

func TestChanges(t *testing.T) {
	n := "n"
	for _, row := range []struct {
		why  string
		in   Write
		want string
	}{
		{"nothing", Write{}, ""},
		{"a create, in order and with runs",
			Write{New: slice(80, one("10.0.0.9"), one("10.0.0.3"), one("10.0.0.2"), one("10.0.0.1"))},
			"+10.0.0.1..3 +10.0.0.9"},
		{"a delete", Write{Old: slice(80, one("10.0.0.2"), one("10.0.0.1")), Removed: 2}, "-10.0.0.1 -10.0.0.2"},
		{"what leaves, then what comes, then what changes",
			Write{
				Old: slice(80, one("10.0.0.1"), one("10.0.0.2"), one("10.0.0.3")), Removed: 1, Changed: 1,
				New: slice(80, one("10.0.0.1", zone("b")), one("10.0.0.3"), one("10.0.0.4")),
			},
			"-10.0.0.2 +10.0.0.4 ~10.0.0.1{zone=b}"},
		{"a field that goes, and one that comes",
			Write{Old: slice(80, one("10.0.0.1", pod("a", ""), zone("a"))), New: slice(80, one("10.0.0.1", pod("a", ""), node("n"))), Changed: 1},
			"~10.0.0.1{node=n,-zone}"},
		{"other ports show all that stay",
			Write{Old: slice(80, one("10.0.0.1"), one("10.0.0.2"), one("10.0.0.3")), Removed: 1,
				New: slice(81, one("10.0.0.1"), one("10.0.0.2", zone("b")))},
			"-10.0.0.3 =10.0.0.1 =10.0.0.2{zone=b}"},
		{"with other ports too, a nil condition is its default",
			Write{Old: slice(80, one("10.0.0.1")), New: slice(81, one("10.0.0.1", isReady(true))), Changed: 9}, "=10.0.0.1"},
		{"a step that counts more than can be seen still shows what can",
			Write{Old: slice(80, one("10.0.0.1")), New: slice(80, one("10.0.0.1", zone("b"))), Changed: 9}, "~10.0.0.1{zone=b}"},
		{"what leaves and what comes is no run",
			Write{Old: slice(80, one("10.0.0.1")), New: slice(80, one("10.0.0.2"), one("10.0.0.3")), Removed: 1},
			"-10.0.0.1 +10.0.0.2 +10.0.0.3"},
		{"with other ports, one UID does not make a pair",
			Write{Old: slice(80, one("10.0.0.1", pod("a", "u1"))), New: slice(81, one("10.0.0.2", pod("a", "u1")))},
			"-10.0.0.1 +10.0.0.2"},
		{"a nil condition is its default where the step says that nothing changes",
			Write{Old: slice(80, one("10.0.0.1")), New: slice(80, one("10.0.0.1", isReady(true)))}, ""},
		{"and differs where the step says that it does",
			Write{Old: slice(80, one("10.0.0.1")), New: slice(80, one("10.0.0.1", isReady(true))), Changed: 1},
			"~10.0.0.1{ready}"},
		{"a real change is told without the defaults of others",
			Write{Old: slice(80, one("10.0.0.1"), one("10.0.0.2")),
				New: slice(80, one("10.0.0.1", isReady(true)), one("10.0.0.2", isReady(false))), Changed: 1},
			"~10.0.0.2{!ready}"},
		{"resourceVersion and deprecated topology are no change",
			Write{Old: slice(80, one("10.0.0.1", pod("a", "u"), version("1"))),
				New: slice(80, one("10.0.0.1", pod("a", "u"), version("2"), topology("k", "v"))), Changed: 0},
			""},
		{"by UID an endpoint may change its address",
			Write{
				Old:   slice(80, one("10.0.0.1", pod("a", "u1")), one("10.0.0.3", pod("b", "u2")), one("10.0.0.4")),
				New:   slice(80, one("10.0.0.2", pod("a", "u1")), one("10.0.0.5", pod("c", "u3")), one("10.0.0.6")),
				Added: 2, Removed: 2, Changed: 1,
			},
			"-10.0.0.3 -10.0.0.4 +10.0.0.5 +10.0.0.6 ~10.0.0.1->10.0.0.2"},
		{"by UID, each only once",
			Write{
				Old: slice(80, one("10.0.0.1", pod("a", "u")), one("10.0.0.2", pod("a", "u"))),
				New: slice(80, one("10.0.0.3", pod("a", "u"))), Removed: 1, Changed: 1,
			},
			"-10.0.0.2 ~10.0.0.1->10.0.0.3"},
		{"but not where the step says that they are two",
			Write{Old: slice(80, one("10.0.0.1", pod("a", "u"))), New: slice(80, one("10.0.0.2", pod("a", "u"))), Removed: 1},
			"-10.0.0.1 +10.0.0.2"},
		{"no UID joins nothing",
			Write{Old: slice(80, one("10.0.0.1")), New: slice(80, one("10.0.0.2"))}, "-10.0.0.1 +10.0.0.2"},
		{"another spelling is one address",
			Write{Old: slice(80, one("fd00::1")), New: slice(80, one("FD00::1", zone("a"))), Changed: 1}, "~FD00::1{zone=a}"},
		{"the order of addresses does not count",
			Write{Old: slice(80, at("10.0.0.1", "10.0.0.2")), New: slice(80, at("10.0.0.2", "10.0.0.1")), Changed: 1},
			"~10.0.0.1,10.0.0.2->10.0.0.2,10.0.0.1"},
		{"twice where it was once",
			Write{Old: slice(80, one("10.0.0.1")), New: slice(80, one("10.0.0.1"), one("10.0.0.1"))}, "+10.0.0.1"},
		{"once where it was twice",
			Write{Old: slice(80, one("10.0.0.1"), one("10.0.0.1")), New: slice(80, one("10.0.0.1")), Removed: 1}, "-10.0.0.1"},
		{"endpoints that share an address are told apart, others are not",
			Write{
				Old: slice(80, one("10.0.0.1", pod("a", "")), one("10.0.0.2", pod("c", ""))), Removed: 2,
				New: slice(80, one("10.0.0.1", pod("b", "")), one("10.0.0.1", host("h"), zone("z")),
					one("10.0.0.3", pod("d", ""))),
			},
			"-10.0.0.1{pod=a} -10.0.0.2 +10.0.0.1{pod=b} +10.0.0.1{host=h} +10.0.0.3"},
		{"by UID, where endpoints share an address, each field once",
			Write{
				Old: slice(80, one("10.0.0.1", pod("a", "1")), one("10.0.0.1", pod("b", "2"))),
				New: slice(80, one("10.0.0.1", pod("c", "1")), one("10.0.0.1", pod("b", "2"))), Changed: 1,
			},
			"~10.0.0.1{pod=c}"},
		{"a change without an address", Write{Old: slice(80, at()), New: slice(80, discoveryv1.Endpoint{NodeName: &n}), Changed: 1}, "~[]{node=n}"},
		{"empty texts, empty hints and their order are no change",
			Write{Old: slice(80, one("10.0.0.1", zone(""), hinted("b", "a")), one("10.0.0.2", hinted())),
				New: slice(80, one("10.0.0.1", host(""), hinted("a", "b")), one("10.0.0.2"))},
			""},
		{"of several copies the one that stays is the most alike",
			Write{Old: slice(80, one("10.0.0.1", zone("a")), one("10.0.0.1", zone("b"))), New: slice(80, one("10.0.0.1", zone("b"))), Removed: 1},
			"-10.0.0.1"},
		{"or the one that differs in the fewest fields",
			Write{Old: slice(80, one("10.0.0.1", node("a"), zone("a")), one("10.0.0.1", node("b"), zone("b"))),
				New: slice(80, one("10.0.0.1", node("b"), zone("c"))), Removed: 1, Changed: 1},
			"-10.0.0.1 ~10.0.0.1{zone=c}"},
		{"by UID a further address is a change",
			Write{Old: slice(80, one("10.0.0.1", pod("a", "u"))), New: slice(80, also(one("10.0.0.1", pod("a", "u")), "10.0.0.2")), Changed: 1},
			"~10.0.0.1->10.0.0.1,10.0.0.2"},
		{"what differs in the targetRef alone is printed",
			Write{Old: slice(80, one("10.0.0.1", vm("", "spec"))), New: slice(80, one("10.0.0.1", vm("v1", ""))), Changed: 1},
			"~10.0.0.1{ref-api=v1,-ref-path}"},
		{"no address at all", Write{Old: slice(80, at()), New: slice(80, one("10.0.0.1")), Removed: 1}, "-[] +10.0.0.1"},
	} {
		if got := Join(Changes(row.in)); got != orDash(row.want) {
			t.Errorf("%s:\n got %q\nwant %q", row.why, got, row.want)
		}
	}
}

// TestQuote: what would be misread is quoted, and nothing else.
func TestQuote(t *testing.T) {
	for _, s := range []string{"", "-", "a b", "a\tb", "a\nb", `"`, `\`, "{", "}", "[", "]", ",", "|", "=", "+", "#",
		"1..2", "\x00", "\u200b"} {
		if got := Quote(s); got != fmt.Sprintf("%q", s) {
			t.Errorf("%q is printed as %s", s, got)
		}
	}
	for _, s := range []string{"a", "10.0.0.1", "fd00::1", "a-b", "ü", "kubernetes.io/name"} {
		if got := Quote(s); got != s {
			t.Errorf("%q is printed as %s", s, got)
		}
	}
}

func TestMetadata(t *testing.T) {
	yes, no := true, false
	for _, row := range []struct{ got, want string }{
		{AddressType(discoveryv1.AddressTypeIPv4), "ipv4"},
		{AddressType(""), "-"},
		{Owner(metav1.OwnerReference{Kind: "Service", Name: "web", UID: "u"}), "Service/web/u"},
		{Owner(metav1.OwnerReference{Kind: "Service", Name: "web", UID: "u", Controller: &no}), "Service/web/u"},
		{Owner(metav1.OwnerReference{Kind: "Service", Name: "web", Controller: &yes}), `Service/web/""*`},
		{fmt.Sprint(Differences(nil, nil)), "[]"},
		{fmt.Sprint(Differences(map[string]string{"z": "1", "b": "2", "a": "3"}, map[string]string{"c": "5", "b": "4", "a": "3"})), "[~b=4 +c=5 -z]"},
	} {
		if row.got != row.want {
			t.Errorf("got %s, want %s", row.got, row.want)
		}
	}
}
