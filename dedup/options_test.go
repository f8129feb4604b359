package dedup_test

import (
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/dedup"
)

// TestUnknownOptions: a value that is none of the package's is an error of NewIndex and a Problem of Merge, which then
// shows nothing.
func TestUnknownOptions(t *testing.T) {
	list := []*discoveryv1.EndpointSlice{slice("web-a", "10.0.0.1")}
	const path = "options.addressTypes[1]"
	wrong := dedup.Options{AddressTypes: []discoveryv1.AddressType{"IPv4", "ipv6"}}
	if ix, err := dedup.NewIndex(wrong); ix != nil || err == nil || !strings.HasPrefix(err.Error(), path+": ") {
		t.Errorf("NewIndex returns %v, %v", ix, err)
	}
	view := dedup.Merge(list, wrong)
	if problems := view.Problems(); len(problems) != 1 || problems[0].Reason != dedup.BadOption || faultOf(problems[0]).Field != path {
		t.Errorf("the problems of Merge are %v", problems)
	}
	if view.Len(webHTTP) != 0 || view.Has(webHTTP.Service) {
		t.Error("Merge shows something")
	}
	_, err := dedup.NewIndex(dedup.Options{AddressTypes: []discoveryv1.AddressType{"ipv4", "ipv6"}})
	if joined, ok := err.(interface{ Unwrap() []error }); !ok || len(joined.Unwrap()) != 2 {
		t.Errorf("of two mistakes NewIndex says %v", err)
	}
	if _, err := dedup.NewIndex(dedup.Options{
		AllAddresses: true, KeepAnyPort: true, AddressTypes: []discoveryv1.AddressType{"IPv4", "IPv6", "FQDN"},
	}); err != nil {
		t.Errorf("good options: %v", err)
	}
}
