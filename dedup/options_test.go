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
	for _, row := range []struct {
		path    string
		options dedup.Options
	}{
		{"options.addressTypes[1]", dedup.Options{AddressTypes: []discoveryv1.AddressType{"IPv4", "ipv6"}}},
	} {
		ix, err := dedup.NewIndex(row.options)
		if ix != nil || err == nil || !strings.HasPrefix(err.Error(), row.path+": ") {
			t.Errorf("%s: NewIndex returns %v, %v", row.path, ix, err)
		}
		view := dedup.Merge(list, row.options)
		problems := view.Problems()
		if len(problems) != 1 || problems[0].Reason != dedup.BadOption || faultOf(problems[0]).Field != row.path {
			t.Errorf("%s: the problems of Merge are %v", row.path, problems)
		}
		if view.Len(webHTTP) != 0 || view.Has(webHTTP.Service) {
			t.Errorf("%s: Merge shows something", row.path)
		}
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
