package slicertest

import (
	"bytes"
	"encoding/json"
	"errors"

	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/test/sim"
)

// mergePatch applies a JSON merge patch (https://www.rfc-editor.org/rfc/rfc7386) and leaves old as it is.
func mergePatch(old *discoveryv1.EndpointSlice, patch []byte) (*discoveryv1.EndpointSlice, error) {
	var change any
	if err := json.Unmarshal(patch, &change); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	if _, ok := change.(map[string]any); !ok {
		return nil, apierrors.NewBadRequest("the patch is no object")
	}
	data, err := json.Marshal(merged(sim.Generic(old), change))
	if err != nil {
		return nil, err
	}
	out := &discoveryv1.EndpointSlice{}
	if err = json.Unmarshal(data, out); err == nil && (out.Kind+out.APIVersion != "" || out.UID != old.UID) {
		err = errors.New("the kind and the UID stay as they are")
	}
	switch {
	case out.Name != old.Name || out.Namespace != old.Namespace:
		return nil, apierrors.NewBadRequest("the name stays as it is")
	case err != nil:
		wrong := field.Invalid(field.NewPath("patch"), string(patch), err.Error())
		return nil, apierrors.NewInvalid(slicesKind.WithKind("EndpointSlice").GroupKind(), old.Name, field.ErrorList{wrong})
	}
	return out, nil
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

// simple reports whether a strategic merge patch of a slice means what a merge patch of the same text means: owners and
// finalizers are the only lists of a slice that it merges.
func simple(patch []byte) bool {
	for _, special := range []string{`"$`, `"ownerReferences"`, `"finalizers"`} {
		if bytes.Contains(patch, []byte(special)) {
			return false
		}
	}
	return true
}
