package dedup_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/dedup"
)

// TestOptionMistakes: a wrong option is an error of NewIndex and a Warning of the other calls,
// names the field, and nothing is read (D8).
func TestOptionMistakes(t *testing.T) {
	list := []*discoveryv1.EndpointSlice{slice("web-a", "10.0.0.1")}
	for _, row := range []struct {
		o    dedup.Options
		want string
	}{
		{dedup.Options{AddressTypes: []discoveryv1.AddressType{"IPv4", "ipv6"}}, `options.addressTypes[1]: Unsupported value: "ipv6": supported values: "IPv4", "IPv6", "FQDN"`},
		{dedup.Options{Labels: []string{"region", ""}}, `options.labels[1]: Invalid value: "": name part must be non-empty`},
		{dedup.Options{ServiceLabel: "a b"}, `options.serviceLabel: Invalid value: "a b": name part must consist of alphanumeric characters`},
	} {
		ix, err := dedup.NewIndex(row.o)
		if ix != nil || err == nil || !starts(err.Error(), row.want) {
			t.Errorf("NewIndex: %v, want %s", err, row.want)
		}
		ix.Handle(nil, list[0]) // the nil Index of a caller that ignores the error
		if _, w := ix.Flush(); len(w) != 1 || w[0].Reason != "BadOption" {
			t.Errorf("Flush of a nil Index: %v", w)
		}
		view := dedup.Merge(list, row.o)
		if !starts(view.Warnings().String(), row.want) || view.Has(webHTTP.Service) {
			t.Errorf("Merge: %v, want %s", view.Warnings(), row.want)
		}
		found, warnings := dedup.OnePort(list, "http", "", row.o)
		if !starts(warnings.String(), row.want) || found != nil {
			t.Errorf("OnePort: %v, %v, want %s", found, warnings, row.want)
		}
	}
	const want = `protocol: Unsupported value: "tcp": supported values: "TCP", "UDP", "SCTP"`
	if found, warnings := dedup.OnePort(list, "http", "tcp", dedup.Options{}); found != nil || warnings.String() != want {
		t.Errorf("OnePort: %v, %v, want %s", found, warnings, want)
	}
}

func starts(text, want string) bool { return len(text) >= len(want) && text[:len(want)] == want }

// TestSlicesWithoutLabel: a slice that no label gives to a Service is a Warning, unless another
// label may say what it belongs to.
func TestSlicesWithoutLabel(t *testing.T) {
	const mcs = "multicluster.kubernetes.io/service-name"
	managed := of("web-u", "default", "", "")
	managed.Labels[discoveryv1.LabelManagedBy] = "slices.example.com"
	keyed := of("web-k", "default", "", "")
	keyed.Labels["second.example.com/service"] = "web"
	for _, row := range []struct {
		why          string
		slice        *discoveryv1.EndpointSlice
		own, imports string // the Warnings of a View of Services, and of one of ServiceImports
	}{
		{"of a Service", slice("web-a"), "", ""},
		{"of an import", of("web-i", "default", "", "web"), "", ""},
		{"with another label", keyed, "", ""},
		{"without labels", of("web-u", "default", "", ""),
			"default/web-u: metadata.labels[kubernetes.io/service-name]: Required value: name the Service that the slice belongs to",
			"default/web-u: metadata.labels[multicluster.kubernetes.io/service-name]: Required value: name the Service that the slice belongs to"},
		{"with the label of its manager alone", managed,
			"default/web-u: metadata.labels[kubernetes.io/service-name]: Required value: name the Service that the slice belongs to",
			"default/web-u: metadata.labels[multicluster.kubernetes.io/service-name]: Required value: name the Service that the slice belongs to"},
	} {
		list := []*discoveryv1.EndpointSlice{row.slice}
		if got := dedup.Merge(list, dedup.Options{}).Warnings().String(); got != row.own {
			t.Errorf("%s: got %s, want %s", row.why, got, row.own)
		}
		if got := dedup.Merge(list, dedup.Options{ServiceLabel: mcs}).Warnings().String(); got != row.imports {
			t.Errorf("%s: got %s, want %s", row.why, got, row.imports)
		}
	}
}

// TestNoticesAreBounded: the text of many Notices has twenty lines and says how many more there
// are.
func TestNoticesAreBounded(t *testing.T) {
	web := dedup.Notice{Reason: "BadAddress"}
	for n, lines := range map[int]int{1: 1, 20: 20, 21: 21, 1501: 21} {
		text := dedup.Notices(slices.Repeat([]dedup.Notice{web}, n)).String()
		more := fmt.Sprintf("\nand %d more", n-20)
		if got := strings.Count(text, "\n") + 1; got != lines || strings.HasSuffix(text, more) != (n > 20) {
			t.Errorf("%d Notices: %d lines: %s", n, got, text)
		}
	}
}

// faultOf returns the *field.Error of a Notice, an empty one where there is none.
func faultOf(p dedup.Notice) *field.Error {
	fault := &field.Error{}
	errors.As(p.Err, &fault)
	return fault
}
