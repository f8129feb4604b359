package slicertest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/test/sim"
)

const (
	jsonType     = "application/json"
	protobufType = "application/vnd.kubernetes.protobuf"
)

// prefix starts every object that is sent as protobuf
// (https://kubernetes.io/docs/reference/using-api/api-concepts/#protobuf-encoding).
var prefix = []byte("k8s\x00")

// message is an object that can be sent as protobuf as well as JSON: all types of api and apimachinery.
type message interface {
	runtime.Object
	Marshal() ([]byte, error)
	Unmarshal([]byte) error
}

// decode reads the body of a request into an object.
func decode(r *http.Request, into message) error {
	if r.Body == nil {
		return nil
	}
	data, err := io.ReadAll(r.Body)
	if _, optional := into.(*metav1.DeleteOptions); err != nil || len(data) == 0 && optional {
		return err
	}
	switch t := mediaType(r.Header.Get("Content-Type")); t {
	case jsonType, "":
		err = json.Unmarshal(data, into)
	case protobufType:
		var envelope runtime.Unknown
		rest, ok := bytes.CutPrefix(data, prefix)
		if !ok {
			err = fmt.Errorf("the body does not start with %q", prefix)
		} else if err = envelope.Unmarshal(rest); err == nil {
			err = into.Unmarshal(envelope.Raw)
		}
	default:
		return unsupported(http.StatusUnsupportedMediaType, "content type %q: it takes %s and %s", t, jsonType, protobufType)
	}
	if err != nil {
		return apierrors.NewBadRequest("the body cannot be read: " + err.Error())
	}
	return nil
}

// answer encodes an object in the first type that the request accepts.
func answer(r *http.Request, code int, o message, kind schema.GroupVersionKind) (*http.Response, error) {
	t, err := acceptable(r.Header.Get("Accept"))
	if err != nil {
		return nil, err
	}
	o = o.DeepCopyObject().(message)
	o.GetObjectKind().SetGroupVersionKind(kind)
	var data []byte
	if t == jsonType {
		data, err = json.Marshal(o)
	} else {
		data, err = protobuf(o, kind)
	}
	if err != nil {
		return nil, err
	}
	return &http.Response{
		Status: http.StatusText(code), StatusCode: code, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {t}}, Body: io.NopCloser(bytes.NewReader(data)), ContentLength: int64(len(data)),
		Request: r,
	}, nil
}

func protobuf(o message, kind schema.GroupVersionKind) ([]byte, error) {
	raw, err := o.Marshal()
	if err != nil {
		return nil, err
	}
	envelope := runtime.Unknown{Raw: raw, ContentType: protobufType}
	envelope.APIVersion, envelope.Kind = kind.ToAPIVersionAndKind()
	data, err := envelope.Marshal()
	return append(bytes.Clone(prefix), data...), err
}

// acceptable returns the first type of an Accept header that can be sent. Types with a parameter as, which ask for a table
// or for metadata only, cannot.
func acceptable(accept string) (string, error) {
	for _, t := range strings.Split(cmp.Or(accept, jsonType), ",") {
		media := mediaType(t)
		switch {
		case strings.Contains(t, "as="):
		case media == protobufType:
			return protobufType, nil
		case media == jsonType, media == "*/*", media == "application/*":
			return jsonType, nil
		}
	}
	return "", unsupported(http.StatusNotAcceptable, "answer of type %q", accept)
}

func mediaType(t string) string {
	t, _, _ = strings.Cut(t, ";")
	return strings.TrimSpace(t)
}

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
