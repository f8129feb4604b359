package slices

import (
	"fmt"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/test/check/form"
)

// addressID is the identity of an endpoint that Kubernetes uses.
func addressID(e *discoveryv1.Endpoint) string {
	id := strings.Join(form.CanonicalSet(e.Addresses), ",")
	if len(e.Addresses) == 0 {
		id = "no address"
	}
	id += "|" + form.Text(e.Hostname)
	if r := e.TargetRef; r != nil {
		return id + fmt.Sprintf("|%s/%s/%s", r.Kind, r.Namespace, r.Name)
	}
	return id + "|//"
}

func uidOf(e *discoveryv1.Endpoint) string {
	if e.TargetRef == nil {
		return ""
	}
	return string(e.TargetRef.UID)
}

// id is the endpoint's identity in the group; one without UID never equals one of a group that goes by UID.
func (g *group) id(e *discoveryv1.Endpoint) string {
	if !g.byUID {
		return addressID(e)
	}
	if uid := uidOf(e); uid != "" {
		return "uid " + uid
	}
	return "no uid " + addressID(e)
}
