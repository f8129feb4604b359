package slicer_test

import (
	"encoding/json"
	"flag"
	"testing"

	"pgregory.net/rapid"

	check "github.com/slicewright/slicewright/internal/test/check/slices"
	"github.com/slicewright/slicewright/internal/test/given"
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
		var in given.World
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
	`{"Set":{"Namespace":"ns","Name":"web","ManagedBy":"test"},"Groups":[{}],"Existing":[null]}`,
	`{"Set":{"Namespace":"ns","Name":"web","ManagedBy":"test","Owners":[{"apiVersion":"v1","kind":"Service","name":"web","uid":"2"}],"Adopt":["","a"]},
	  "Groups":[{"Endpoints":[{},{"addresses":[]},{"addresses":[""]},{"addresses":["10.0.0.1"],"targetRef":{},"hints":{}}]}],
	  "Existing":[{"metadata":{"namespace":"ns","name":"a","ownerReferences":[{"kind":"Service","name":"web","uid":"1"}]}}]}`,
	`{"Set":{"Namespace":"ns","Name":"web","ManagedBy":"test","AddressTypes":["IPv4","IPv6"],"Terminating":true},
	  "Groups":[{"AddressType":"IPv4","Ports":[{},{"name":"http","port":80,"protocol":"UDP","appProtocol":"a/b"}],
	    "Endpoints":[{"addresses":["010.0.0.1"],"conditions":{"ready":false},"hostname":"a","nodeName":"n","zone":"z"}]}],
	  "Existing":[{"metadata":{"namespace":"ns","name":"a","resourceVersion":"x","labels":{"endpointslice.kubernetes.io/managed-by":"test","kubernetes.io/service-name":"web"}},
	    "addressType":"IPv4","endpoints":[{"addresses":null},{"addresses":["10.0.0.1"]},{"addresses":["10.0.0.1"]}],"ports":[{"name":null,"port":null}]},
	   {"metadata":{"namespace":"ns","name":"b","deletionTimestamp":"2026-01-01T00:00:00Z"},"addressType":"?"}]}`,
	`{"Set":{"Namespace":"ns","Name":"web","ManagedBy":"test","Key":{"a":"b"},"TriggerTime":"2026-01-01T00:00:00Z"},
	  "Options":{"MaxEndpointsPerSlice":1,"Identity":"by-target-uid","Oversize":"split-oversize","Names":"stable","Invalid":"Pass"},
	  "Groups":[{"AddressType":"FQDN","Endpoints":[{"addresses":["a.example.com"]},{"addresses":["b.example.com"]}]}]}`,
}
