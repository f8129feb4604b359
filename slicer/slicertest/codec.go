package slicertest

import (
	"bytes"
	"cmp"
	"io"
	"net/http"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

const (
	jsonType     = runtime.ContentTypeJSON
	protobufType = runtime.ContentTypeProtobuf
)

// scheme knows the kinds of all objects that are sent, and codecs how they are sent.
var (
	scheme = newScheme()
	codecs = serializer.NewCodecFactory(scheme)
)

func newScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	utilruntime.Must(corev1.AddToScheme(s))
	utilruntime.Must(discoveryv1.AddToScheme(s))
	return s
}

// decode reads the body of a request into an object, which may be missing where that is DeleteOptions.
func decode(r *http.Request, into runtime.Object) error {
	if r.Body == nil {
		return nil
	}
	data, err := io.ReadAll(r.Body)
	if _, optional := into.(*metav1.DeleteOptions); err != nil || len(data) == 0 && optional {
		return err
	}
	t := cmp.Or(mediaType(r.Header.Get("Content-Type")), jsonType)
	info, known := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), t)
	if !known {
		return unsupported(http.StatusUnsupportedMediaType, "content type %q: it takes %s and %s", t, jsonType, protobufType)
	}
	if o, kind, err := info.Serializer.Decode(data, nil, into); err != nil {
		return apierrors.NewBadRequest("the body cannot be read: " + err.Error())
	} else if o != into {
		return apierrors.NewBadRequest("the body is a " + kind.String())
	}
	return nil
}

// answer encodes an object in one of the two types.
func answer(r *http.Request, code int, t string, o runtime.Object) (*http.Response, error) {
	o = o.DeepCopyObject()
	kinds, _, err := scheme.ObjectKinds(o)
	if err != nil {
		return nil, err
	}
	o.GetObjectKind().SetGroupVersionKind(kinds[0])
	info, _ := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), t)
	data, err := runtime.Encode(info.Serializer, o)
	if err != nil {
		return nil, err
	}
	return &http.Response{
		Status: http.StatusText(code), StatusCode: code, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {t}}, Body: io.NopCloser(bytes.NewReader(data)), ContentLength: int64(len(data)),
		Request: r,
	}, nil
}

// acceptable returns the first type of an Accept header that can be sent, with an error JSON. Types with a parameter as, which ask
// for a table or for metadata only, cannot.
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
