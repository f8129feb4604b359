package slicer

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/quote"
)

// Notice says what is not published, or not as asked, or stays unchanged, and why. With a recorder
// of Events:
//
//	recorder.Event(&n.Object, corev1.EventTypeWarning, n.Reason, n.Err.Error())
type Notice struct {
	// Reason is a CamelCase word, such as InvalidAddress. The package comment lists them.
	Reason string
	// Object is the Pod or other object that is not published. It is empty if the Notice is about
	// the Input as a whole, such as NoWeights: send the Event about the Service then.
	Object corev1.ObjectReference
	// Address is the address that is not published. It is empty if the object has none, or if all
	// are meant.
	Address string
	// Path is the position in the arguments, such as pods[3], or in the Input, such as
	// groups[0].endpoints[3].hostname.
	Path string
	// Err says what is wrong and what to do.
	Err error
}

// String returns one line for people. It has Path only if nothing else names the subject, because
// paths depend on the order of the arguments.
func (n Notice) String() string {
	text := n.subject() + ": " + n.Reason
	if cause := n.cause(); cause != "" {
		text += ": " + cause
	}
	return text
}

// cause returns the text of Err without its path.
func (n *Notice) cause() string {
	if n.Err == nil {
		return ""
	}
	if f, ok := n.Err.(*field.Error); ok {
		return f.ErrorBody()
	}
	return n.Err.Error()
}

// object returns kind and name of Object, as in "Pod shop/web-1".
func (n *Notice) object() string {
	if n.Object.Name == "" && n.Object.Kind == "" {
		return ""
	}
	if n.Object.Name == "" {
		return quote.Text(n.Object.Kind)
	}
	name := quote.Text(n.Object.Name)
	if n.Object.Namespace != "" {
		name = quote.Text(n.Object.Namespace) + "/" + name
	}
	if n.Object.Kind != "" {
		name = quote.Text(n.Object.Kind) + " " + name
	}
	return name
}

// subject returns the object and the address, or Path if both are unknown.
func (n *Notice) subject() string {
	var words []string
	if object := n.object(); object != "" {
		words = append(words, object)
	}
	if n.Address != "" {
		words = append(words, quote.Text(n.Address))
	}
	if len(words) == 0 {
		return n.Path
	}
	return strings.Join(words, " ")
}

// Notices is a list of Notices that prints well.
type Notices []Notice

// String returns a line for each of the first twenty Notices, and the number of the others.
func (n Notices) String() string { return quote.Lines(n) }
