package slicer_test

import (
	"encoding/json"
	"flag"
	"testing"

	"pgregory.net/rapid"

	"github.com/slicewright/slicewright/internal/test/check"
	"github.com/slicewright/slicewright/internal/test/gen"
)

// TestMain lets fuzzing find things as it is usually started: without this Go spends up to a minute
// on making each world that reaches new code smaller. Ten attempts do, and -fuzzminimizetime still
// says otherwise.
func TestMain(m *testing.M) {
	flag.Parse()
	if minimize := flag.Lookup("test.fuzzminimizetime"); minimize.Value.String() == minimize.DefValue {
		if err := minimize.Value.Set("10x"); err != nil {
			panic(err)
		}
	}
	m.Run()
}

// FuzzGuarantees looks for worlds that break any guarantee.
func FuzzGuarantees(f *testing.F) { f.Fuzz(rapid.MakeFuzz(anyGuarantee)) }

// FuzzJSON plans whatever a document says, with nil, empty and garbage everywhere. Nothing may
// panic, and the input stays as it was; where the input is one that an API server can have, all
// guarantees hold.
func FuzzJSON(f *testing.F) {
	for _, document := range jsonSeeds {
		f.Add([]byte(document))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var in gen.World
		if json.Unmarshal(data, &in) != nil && len(in.Groups)+len(in.Existing) == 0 {
			t.Skip("says nothing")
		}
		before := check.Copy(in)
		plan, err := in.Compute()
		if pure := check.Pure(in, before, plan, err); pure != nil {
			t.Fatal(pure)
		}
		if err == nil && check.Stored(in) {
			if _, err := check.Compute(in); err != nil {
				t.Fatal(err)
			}
		}
	})
}

var jsonSeeds = []string{
	`{}`,
	`{"Key":{"Namespace":"ns","Name":"web","ManagedBy":"test"},"Groups":[{"AddressType":"IPv4"}],"Existing":[null]}`,
	`{"Key":{"Namespace":"ns","Name":"web","ManagedBy":"test"},
	  "Meta":{"OwnerReferences":[{"apiVersion":"v1","kind":"Service","name":"web","uid":"2"}]},"Options":{"Adopt":["","a"]},
	  "Groups":[{"AddressType":"IPv4","Endpoints":[{},{"API":{"addresses":[]}},{"API":{"addresses":[""]}},
	    {"API":{"addresses":["10.0.0.1"],"targetRef":{},"hints":{}}}]}],
	  "Existing":[{"metadata":{"namespace":"ns","name":"a","ownerReferences":[{"kind":"Service","name":"web","uid":"1"}]}}]}`,
	`{"Key":{"Namespace":"ns","Name":"web","ManagedBy":"test"},"Meta":{"Terminating":true},
	  "Options":{"AddressTypes":["IPv4","IPv6"]},"Pending":[{"Untargeted":true},{"Object":{"kind":"Pod","name":"a"},"Address":"x"}],
	  "Groups":[{"AddressType":"IPv4","Ports":[{},{"name":"http","port":80,"protocol":"UDP","appProtocol":"a/b"}],
	    "Endpoints":[{"API":{"addresses":["010.0.0.1"],"conditions":{"ready":false},"hostname":"a","nodeName":"n","zone":"z"}}]}],
	  "Existing":[{"metadata":{"namespace":"ns","name":"a","resourceVersion":"x","labels":{"endpointslice.kubernetes.io/managed-by":"test","kubernetes.io/service-name":"web"}},
	    "addressType":"IPv4","endpoints":[{"addresses":null},{"addresses":["10.0.0.1"]},{"addresses":["10.0.0.1"]}],"ports":[{"name":null,"port":null}]},
	   {"metadata":{"namespace":"ns","name":"b","deletionTimestamp":"2026-01-01T00:00:00Z"},"addressType":"?"}]}`,
	`{"Key":{"Namespace":"ns","Name":"web","ManagedBy":"test","MatchLabels":{"a":"b"}},"Options":{"MaxEndpointsPerSlice":1,"Compact":true},
	  "Groups":[{"AddressType":"FQDN","Endpoints":[{"API":{"addresses":["a.example.com"]}},{"API":{"addresses":["b.example.com"]}}]}]}`,
}
