package mirror_test

import (
	"fmt"
	"slices"
	"strings"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/slicewright/slicewright/internal/notation"
	"github.com/slicewright/slicewright/internal/test/oldscenario"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// copyWords are the words of copies: what they are for, and their options.
var copyWords = map[string]func(c *copyCommand, key, value string){
	"zone": func(c *copyCommand, key, value string) {
		if key == "" {
			c.o.Zone = mirror.Carry(value)
		} else {
			c.o.ZoneNames[key] = value
		}
	},
	"node": func(c *copyCommand, key, value string) {
		if key == "" {
			c.o.Node = mirror.Carry(value)
		} else {
			c.o.NodeNames[key] = value
		}
	},
	"hints":             func(c *copyCommand, _, value string) { c.o.Hints = mirror.Carry(value) },
	"target":            func(c *copyCommand, _, value string) { c.o.TargetRef = mirror.Carry(value) },
	"hostname-from-pod": func(c *copyCommand, _, _ string) { c.o.HostnameFromPod = true },
	"each-address":      func(c *copyCommand, _, _ string) { c.o.EachAddress = true },
	"drop":              func(c *copyCommand, _, value string) { c.o.Transform = dropping(value) },
	"to-ipv6":           func(c *copyCommand, _, value string) { c.o.Transform = toIPv6(value) },
	"label":             func(c *copyCommand, key, value string) { c.set.Labels[key] = value },
	"key":               func(c *copyCommand, key, value string) { c.set.Key = map[string]string{key: value} },
	"managed-by":        func(c *copyCommand, _, value string) { c.set.ManagedBy = value },
	"name":              func(c *copyCommand, _, value string) { c.set.Name = value },
	"types":             func(c *copyCommand, _, value string) { c.set.AddressTypes = []discoveryv1.AddressType{families[value]} },
	"port": func(c *copyCommand, _, value string) {
		c.o.Port = func(p discoveryv1.EndpointPort) bool { return *p.Name == value }
	},
}

type copyCommand struct {
	set slicer.Set
	o   mirror.CopyOptions
}

// readSource reads slices of another place.
func (w *world) readSource(lines []string) error {
	w.source = nil
	for _, line := range lines {
		if line == "nil" {
			w.source = append(w.source, nil)
			continue
		}
		s, err := scenario.ParseSlice(line,
			slicer.Set{Namespace: "far", Name: "web", ManagedBy: services.KubernetesManager})
		if err != nil {
			return err
		}
		w.source = append(w.source, s)
	}
	return nil
}

// copy runs the commands copy and copy-slice.
func (w *world) copy(c scenario.Command) (string, error) {
	command := &copyCommand{
		slicer.Set{Namespace: "ns", Name: "web", ManagedBy: "copies.example.com", Labels: map[string]string{}},
		mirror.CopyOptions{ZoneNames: map[string]string{}, NodeNames: map[string]string{}},
	}
	if err := scenario.Words(command, c.Args, copyWords); err != nil {
		return "", err
	}
	if c.Name == "copy-slice" {
		return w.copySlice(command.o)
	}
	in, err := mirror.FromSlices(command.set, w.source, command.o)
	if err != nil {
		return mistakes(err)
	}
	in.Options.GeneratedNames = true
	return w.plan("", in)
}

// copySlice prints the copy of the first source, and its Skips.
func (w *world) copySlice(o mirror.CopyOptions) (string, error) {
	meta := metav1.ObjectMeta{Namespace: "shop", Name: "web-east",
		Labels: map[string]string{discoveryv1.LabelManagedBy: "copies.example.com"}}
	to, skips, err := mirror.CopySlice(w.source[0], meta, o)
	if err != nil {
		return mistakes(err)
	}
	text := fmt.Sprintf("%s %s | %s\n", to.AddressType, notation.Ports(to.Ports),
		notation.Endpoints(to.Endpoints, "far"))
	for _, s := range skips {
		text += fmt.Sprintf("skipped %s %s\n", s.Path, s.Reason)
		if s.Reason == mirror.OverLimit && !strings.Contains(s.Error(), "at most 1000") {
			return "", fmt.Errorf("the error does not say how many there may be: %w", s)
		}
	}
	return text, nil
}

func dropping(address string) func(*discoveryv1.Endpoint, *discoveryv1.EndpointSlice) error {
	return func(e *discoveryv1.Endpoint, _ *discoveryv1.EndpointSlice) error {
		if slices.Contains(e.Addresses, address) {
			return errNoAddress
		}
		return nil
	}
}

// toIPv6 translates one address, or all where it is empty.
func toIPv6(only string) func(*discoveryv1.Endpoint, *discoveryv1.EndpointSlice) error {
	return func(e *discoveryv1.Endpoint, _ *discoveryv1.EndpointSlice) error {
		for i, a := range e.Addresses {
			if only == "" || only == a {
				e.Addresses[i] = "64:ff9b::" + a[strings.LastIndexByte(a, '.')+1:]
			}
		}
		return nil
	}
}
