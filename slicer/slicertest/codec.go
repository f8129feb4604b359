package slicertest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

const (
	jsonType     = runtime.ContentTypeJSON
	protobufType = runtime.ContentTypeProtobuf
)

// prefix starts every object that is sent as protobuf
// (https://kubernetes.io/docs/reference/using-api/api-concepts/#protobuf-encoding).
var prefix = []byte("k8s\x00")

// message is an object that can be sent as protobuf. All types of k8s.io/api and
// k8s.io/apimachinery are messages.
type message interface {
	Marshal() ([]byte, error)
	Unmarshal([]byte) error
}

// scheme knows the kinds of all objects that are sent.
var scheme = newScheme()

func newScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	utilruntime.Must(corev1.AddToScheme(s))
	utilruntime.Must(discoveryv1.AddToScheme(s))
	return s
}

// decode reads the body of a request into an object. The body of a request with DeleteOptions may
// be empty.
func decode(r *http.Request, into runtime.Object) error {
	if r.Body == nil {
		return nil
	}
	data, err := body(r)
	if _, optional := into.(*metav1.DeleteOptions); err != nil || len(data) == 0 && optional {
		return err
	}
	var kind schema.GroupVersionKind
	switch t := cmp.Or(mediaType(r.Header.Get("Content-Type")), jsonType); t {
	case jsonType:
		err = json.Unmarshal(data, into)
		kind = into.GetObjectKind().GroupVersionKind()
	case protobufType:
		var envelope runtime.Unknown
		rest, _ := bytes.CutPrefix(data, prefix)
		if err = envelope.Unmarshal(rest); err == nil {
			err = into.(message).Unmarshal(envelope.Raw)
		}
		kind = schema.FromAPIVersionAndKind(envelope.APIVersion, envelope.Kind)
		into.GetObjectKind().SetGroupVersionKind(kind)
	default:
		return unsupported(http.StatusUnsupportedMediaType, "content type %q: it takes %s and %s", t, jsonType,
			protobufType)
	}
	if err != nil {
		return apierrors.NewBadRequest("the body cannot be read: " + err.Error())
	}
	if kinds, _, err := scheme.ObjectKinds(into); err != nil || !kind.Empty() && !slices.Contains(kinds, kind) {
		return apierrors.NewBadRequest("the body is a " + kind.String())
	}
	return nil
}

// answer returns a response with an object that is encoded as t: JSON or protobuf.
func answer(r *http.Request, code int, t string, o runtime.Object) (*http.Response, error) {
	o = o.DeepCopyObject()
	kinds, _, err := scheme.ObjectKinds(o)
	if err != nil {
		return nil, err
	}
	o.GetObjectKind().SetGroupVersionKind(kinds[0])
	data, err := encode(t, o)
	if err != nil {
		return nil, err
	}
	return &http.Response{
		Status: http.StatusText(code), StatusCode: code, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {t}}, Body: io.NopCloser(bytes.NewReader(data)),
		ContentLength: int64(len(data)),
		Request:       r,
	}, nil
}

func encode(t string, o runtime.Object) ([]byte, error) {
	if t == jsonType {
		return json.Marshal(o)
	}
	raw, err := o.(message).Marshal()
	if err != nil {
		return nil, err
	}
	envelope := runtime.Unknown{Raw: raw, ContentType: protobufType}
	envelope.APIVersion, envelope.Kind = o.GetObjectKind().GroupVersionKind().ToAPIVersionAndKind()
	data, err := envelope.Marshal()
	return append(bytes.Clone(prefix), data...), err
}

// acceptable returns the first type of an Accept header that this server can send. With an error it
// returns JSON. Types with the parameter "as" cannot be sent; they ask for a table or for metadata
// only.
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
	return jsonType, unsupported(http.StatusNotAcceptable, "answer of type %q", accept)
}

func mediaType(t string) string {
	t, _, _ = strings.Cut(t, ";")
	return strings.TrimSpace(t)
}

// simple reports whether a strategic merge patch of a slice means the same as a JSON merge patch
// with the same text. Owner references and finalizers are the only lists of a slice that a
// strategic merge patch merges.
func simple(patch []byte) bool {
	for _, special := range []string{`"$`, `"ownerReferences"`, `"finalizers"`} {
		if bytes.Contains(patch, []byte(special)) {
			return false
		}
	}
	return true
}
