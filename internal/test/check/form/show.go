package form

import (
	"encoding/json"
	"fmt"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// Show is an endpoint, or the head of a slice, as JSON.
func Show(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}

// ShowSlice is a slice, with a line for each endpoint.
func ShowSlice(s *discoveryv1.EndpointSlice) string {
	if s == nil {
		return "nil"
	}
	head := *s
	head.Endpoints = nil
	text := Show(head)
	for i := range s.Endpoints {
		text += "\n             " + Show(&s.Endpoints[i])
	}
	return text
}
