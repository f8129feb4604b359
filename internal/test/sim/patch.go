package sim

import (
	"encoding/json"
	"errors"

	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Patch applies a JSON merge patch (https://www.rfc-editor.org/rfc/rfc7386) to a slice, and returns
// the slice as stored.
func (s *Server) Patch(name string, patch []byte) (*discoveryv1.EndpointSlice, error) {
	old := s.Get(name)
	if old == nil {
		return nil, apierrors.NewNotFound(resource, name)
	}
	var change any
	if err := json.Unmarshal(patch, &change); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	if _, ok := change.(map[string]any); !ok {
		return nil, apierrors.NewBadRequest("the patch is no object")
	}
	data, err := json.Marshal(merged(generic(old), change))
	if err != nil {
		return nil, err
	}
	c := &discoveryv1.EndpointSlice{}
	if err = json.Unmarshal(data, c); err == nil && (c.Kind+c.APIVersion != "" || c.UID != old.UID) {
		err = errors.New("the kind and the UID stay as they are")
	}
	switch {
	case c.Name != old.Name || c.Namespace != old.Namespace:
		return nil, apierrors.NewBadRequest("the name stays as it is")
	case err != nil:
		return nil, apierrors.NewInvalid(kind, name,
			field.ErrorList{field.Invalid(field.NewPath("patch"), string(patch), err.Error())})
	}
	return s.Update(c)
}

func merged(target, patch any) any {
	changes, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	object, ok := target.(map[string]any)
	if !ok {
		object = map[string]any{}
	}
	for key, value := range changes {
		if value == nil {
			delete(object, key)
		} else {
			object[key] = merged(object[key], value)
		}
	}
	return object
}
