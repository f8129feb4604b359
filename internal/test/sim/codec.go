package sim

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
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

// The media types that the server reads and sends.
const (
	JSON     = runtime.ContentTypeJSON
	Protobuf = runtime.ContentTypeProtobuf
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

// Decode reads the body of a request into an object. The body of a request with DeleteOptions may
// be empty.
func Decode(r *http.Request, into runtime.Object) error {
	if r.Body == nil {
		return nil
	}
	data, err := Body(r)
	if _, optional := into.(*metav1.DeleteOptions); err != nil || len(data) == 0 && optional {
		return err
	}
	var kind schema.GroupVersionKind
	switch t := cmp.Or(MediaType(r.Header.Get("Content-Type")), JSON); t {
	case JSON:
		err = json.Unmarshal(data, into)
		kind = into.GetObjectKind().GroupVersionKind()
	case Protobuf:
		var envelope runtime.Unknown
		rest, _ := bytes.CutPrefix(data, prefix)
		if err = envelope.Unmarshal(rest); err == nil {
			err = into.(message).Unmarshal(envelope.Raw)
		}
		kind = schema.FromAPIVersionAndKind(envelope.APIVersion, envelope.Kind)
		into.GetObjectKind().SetGroupVersionKind(kind)
	default:
		return Unsupported(http.StatusUnsupportedMediaType, "content type %q: it takes %s and %s", t, JSON,
			Protobuf)
	}
	if err != nil {
		return apierrors.NewBadRequest("the body cannot be read: " + err.Error())
	}
	if kinds, _, err := scheme.ObjectKinds(into); err != nil || !kind.Empty() && !slices.Contains(kinds, kind) {
		return apierrors.NewBadRequest("the body is a " + kind.String())
	}
	return nil
}

// Answer returns a response with an object that is encoded as t: JSON or protobuf.
func Answer(r *http.Request, code int, t string, o runtime.Object) (*http.Response, error) {
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
	if t == JSON {
		return json.Marshal(o)
	}
	raw, err := o.(message).Marshal()
	if err != nil {
		return nil, err
	}
	envelope := runtime.Unknown{Raw: raw, ContentType: Protobuf}
	envelope.APIVersion, envelope.Kind = o.GetObjectKind().GroupVersionKind().ToAPIVersionAndKind()
	data, err := envelope.Marshal()
	return append(bytes.Clone(prefix), data...), err
}

// Acceptable returns the first type of an Accept header that this server can send. With an error it
// returns JSON. Types with the parameter "as" cannot be sent; they ask for a table or for metadata
// only.
func Acceptable(accept string) (string, error) {
	for _, t := range strings.Split(cmp.Or(accept, JSON), ",") {
		media := MediaType(t)
		switch {
		case strings.Contains(t, "as="):
		case media == Protobuf:
			return Protobuf, nil
		case media == JSON, media == "*/*", media == "application/*":
			return JSON, nil
		}
	}
	return JSON, Unsupported(http.StatusNotAcceptable, "answer of type %q", accept)
}

// MediaType returns a media type without its parameters.
func MediaType(t string) string {
	t, _, _ = strings.Cut(t, ";")
	return strings.TrimSpace(t)
}

// Simple reports whether a strategic merge patch of a slice means the same as a JSON merge patch
// with the same text. Owner references and finalizers are the only lists of a slice that a
// strategic merge patch merges.
func Simple(patch []byte) bool {
	for _, special := range []string{`"$`, `"ownerReferences"`, `"finalizers"`} {
		if bytes.Contains(patch, []byte(special)) {
			return false
		}
	}
	return true
}

// Unsupported returns the error for something that Kubernetes supports and this server does not. It
// breaks no guarantee.
func Unsupported(code int32, format string, args ...any) error {
	reason := metav1.StatusReason(strings.ReplaceAll(http.StatusText(int(code)), " ", "")) // such as MethodNotAllowed
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: code, Reason: reason,
		Message: "slicertest has no " + fmt.Sprintf(format, args...),
	}}
}

const maxBody = 3 << 20 // bytes of a request, as in the API server

// Body reads the body of a request, up to maxBody bytes.
func Body(r *http.Request) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err == nil && len(data) > maxBody {
		err = apierrors.NewRequestEntityTooLargeError("limit is 3145728")
	}
	return data, err
}
