package content

import (
	"cmp"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/dedup/internal/decide"
)

// This file makes the ranks that package decide compares, for all doors.

// Target is what an endpoint stands for.
type Target struct {
	Kind, Namespace, Name string
	UID                   types.UID
}

// TargetOf is the target that an endpoint of a slice names; zero for none.
func TargetOf(e *discoveryv1.Endpoint) Target {
	if t := e.TargetRef; t != nil {
		return Target{Kind: t.Kind, Namespace: t.Namespace, Name: t.Name, UID: t.UID}
	}
	return Target{}
}

// identifies reports whether the target says which object it is.
func (t Target) identifies() bool { return t.UID != "" || t.Name != "" }

// compareIdentity orders targets by UID, else by name, kind and namespace. It is 0 for two targets that are one.
func (t Target) compareIdentity(u Target) int {
	switch {
	case t.UID != "" || u.UID != "":
		return cmp.Compare(t.UID, u.UID)
	case t.Name != u.Name:
		return strings.Compare(t.Name, u.Name)
	default:
		return cmp.Or(strings.Compare(t.Kind, u.Kind), strings.Compare(t.Namespace, u.Namespace))
	}
}

// RankSources sets by how new the claims' slices are, and in which order their names are. The functions say it of claims by their
// indexes.
func RankSources(claims []decide.Claim, age func(i int) Age, names func(i, j int) int) {
	decide.Rank(len(claims), func(i, j int) int { return age(i).Compare(age(j)) }, func(i int, rank int32) { claims[i].Age = rank })
	decide.Rank(len(claims), names, func(i int, rank int32) { claims[i].Slice = rank })
}

// Rank completes claims for package decide, of which all is set but what they are about, and the order of their other fields.
// The functions say it of claims by their indexes; fields is asked where one slice has two of the claims.
func Rank(claims []decide.Claim, target func(i int) Target, fields func(i, j int) int) {
	decide.Rank(len(claims), func(i, j int) int { return target(i).compareIdentity(target(j)) }, func(i int, rank int32) {
		if target(i).identifies() {
			claims[i].Target = rank + 1
		}
	})
	twice := false
	decide.Rank(len(claims), func(i, j int) int {
		c := cmp.Compare(claims[i].Slice, claims[j].Slice)
		twice = twice || c == 0 && i != j
		return c
	}, func(int, int32) {})
	if twice {
		decide.Rank(len(claims), fields, func(i int, rank int32) { claims[i].Fields = rank })
	}
}

// UsabilityOf is how usable an endpoint in a state is.
func UsabilityOf(s conditions.State) (u decide.Usability) {
	if s.Serving {
		u |= decide.Serving
	}
	if s.Ready {
		u |= decide.Ready
	}
	if !s.Terminating {
		u |= decide.Lasting
	}
	return u
}

// StateOf is the state of an endpoint that is so usable.
func StateOf(u decide.Usability) conditions.State {
	return conditions.State{Ready: u&decide.Ready != 0, Serving: u&decide.Serving != 0, Terminating: u&decide.Lasting == 0}
}
