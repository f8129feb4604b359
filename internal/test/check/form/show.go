package form

import (
	"encoding/json"
	"fmt"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
)

func Show(e *discoveryv1.Endpoint) string {
	text, err := json.Marshal(e)
	if err != nil {
		return fmt.Sprint(*e)
	}
	return string(text)
}

func ShowSlice(s *discoveryv1.EndpointSlice) string {
	if s == nil {
		return "nil"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s rv=%s %s", s.Name, s.GenerateName, s.ResourceVersion, KeyOf(s))
	if s.DeletionTimestamp != nil {
		b.WriteString(" dying")
	}
	fmt.Fprintf(&b, " labels=%v", s.Labels)
	if len(s.Annotations) > 0 {
		fmt.Fprintf(&b, " annotations=%v", s.Annotations)
	}
	for _, o := range s.OwnerReferences {
		fmt.Fprintf(&b, " owner=%s/%s/%s", o.Kind, o.Name, o.UID)
	}
	if len(s.Finalizers) > 0 {
		fmt.Fprintf(&b, " finalizers=%v", s.Finalizers)
	}
	for i := range s.Endpoints {
		fmt.Fprintf(&b, "\n             %s", Show(&s.Endpoints[i]))
	}
	return b.String()
}
