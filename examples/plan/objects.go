package main

import (
	"fmt"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"

	"github.com/slicewright/slicewright/examples/internal/commandline"
	"github.com/slicewright/slicewright/slicer"
)

// yaml prints creates and updates as documents that kubectl applies, and notes and deletes as
// comments, in the plan's order.
type yaml struct {
	out   *commandline.Output
	notes []string // printed before the first Service
}

var (
	encoder = serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, nil, nil,
		serializer.SerializerOptions{Yaml: true})
	jsonEncoder = serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, nil, nil,
		serializer.SerializerOptions{Pretty: true})
)

func (y *yaml) service(p planned) error {
	y.end()
	for _, line := range remarks(p) {
		y.out.Line("# %s", line)
	}
	for _, s := range p.plan.Steps {
		if s.New == nil {
			continue
		}
		y.out.Line("---")
		y.out.Line("# %s: %s", s.Verb, reasons(s))
		object, err := applicable(s.New)
		if err != nil {
			return err
		}
		if err := y.object(object); err != nil {
			return err
		}
	}
	for _, line := range deletes(p.plan) {
		y.out.Line("# %s", line)
	}
	return nil
}

// object prints an object. YAML leaves some characters that cannot be seen as they are, such as
// marks that turn the direction of writing. An object that has one is printed as JSON, which
// kubectl reads in the same place, with these characters escaped.
func (y *yaml) object(o runtime.Object) error {
	var text strings.Builder
	if err := encoder.Encode(o, &text); err != nil {
		return err
	}
	if line := strings.ReplaceAll(text.String(), "\n", ""); commandline.Visible(line) == line {
		_, err := y.out.Write([]byte(text.String()))
		return err
	}
	text.Reset()
	if err := jsonEncoder.Encode(o, &text); err != nil {
		return err
	}
	y.out.JSON(strings.TrimSuffix(text.String(), "\n"))
	return nil
}

func (y *yaml) end() {
	for _, line := range y.notes {
		y.out.Line("# Note: %s", line)
	}
	y.notes = nil
}

// applicable is a slice as kubectl takes it: with its kind, and without what only the API server
// writes.
func applicable(slice *discoveryv1.EndpointSlice) (runtime.Object, error) {
	out := *slice
	out.SetGroupVersionKind(discoveryv1.SchemeGroupVersion.WithKind("EndpointSlice"))
	out.ManagedFields = nil
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&out)
	if meta, ok := fields["metadata"].(map[string]any); ok && meta["creationTimestamp"] == nil {
		delete(meta, "creationTimestamp") // versions of apimachinery before 0.34 write null
	}
	return &unstructured.Unstructured{Object: fields}, err
}

// remarks says about a Service what its objects do not.
func remarks(p planned) (lines []string) {
	name := "Service " + p.service.Namespace + "/" + p.service.Name
	stats := p.plan.Stats()
	switch {
	case p.leftAlone != "":
		lines = append(lines, name+": left alone: "+p.leftAlone)
	case p.plan.Empty():
		lines = append(lines, name+": nothing to write.")
	default:
		lines = append(lines, fmt.Sprintf("%s: %s, %s, %s, in this order; stop at the first that fails and plan again.",
			name,
			count(stats.Creates, "create"), count(stats.Updates, "update"), count(stats.Deletes, "delete")))
	}
	if n := stats.Skipped; n > 0 {
		lines = append(lines, fmt.Sprintf("Skipped: %d, see the table.", n))
	}
	for _, line := range p.unknownPorts {
		lines = append(lines, "Warning: "+line)
	}
	return lines
}

// deletes are the commands for what kubectl apply cannot do.
func deletes(plan slicer.Plan) []string {
	var out []string
	for _, s := range plan.Steps {
		if s.Verb != slicer.Delete {
			continue
		}
		out = append(out, fmt.Sprintf("kubectl delete endpointslice -n %s %s  # %s", word(s.Old.Namespace),
			word(s.Old.Name), reasons(s)))
	}
	return out
}

// word is a text as a shell takes it.
func word(text string) string {
	if strings.Trim(text, "abcdefghijklmnopqrstuvwxyz0123456789.-") == "" && text != "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
