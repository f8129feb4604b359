package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/examples/internal/commandline"
	"github.com/slicewright/slicewright/examples/internal/manifest"
	"github.com/slicewright/slicewright/hints/routing"
	"github.com/slicewright/slicewright/slicer/services"
)

// config is what the flags say.
type config struct {
	files      []string
	node, zone string
	service    string // name or namespace/name; empty: all
	all        bool
	lenient    bool
}

const usage = `Usage: route -node NAME | -zone NAME [flags] FILE...

Shows which endpoints of the Services in the files (YAML or JSON, "-" is standard input) a node would send traffic to,
which not, and why. Give it what kubectl prints:

  kubectl get services,nodes,endpointslices -o json | route -service web -node worker-1 -

Flags:
`

// parseFlags reads the command line. flag.ErrHelp says that help was asked for and given.
func parseFlags(args []string, stdout io.Writer) (config, error) {
	var c config
	flags := flag.NewFlagSet("route", flag.ContinueOnError)
	flags.StringVar(&c.node, "node", "", "`name` of the node that sends traffic")
	flags.StringVar(&c.zone, "zone", "", "`name` of the zone that sends traffic (default the zone of -node, where the Node is given)")
	flags.StringVar(&c.service, "service", "", "show this Service only: `name` or namespace/name")
	flags.BoolVar(&c.all, "all", false, "list every endpoint, not the first few of each kind")
	flags.BoolVar(&c.lenient, "lenient", false, "skip unknown fields, as a newer API server may print")
	files, err := commandline.Parse(flags, args, usage, stdout)
	if err != nil {
		return c, err
	}
	switch c.files = files; {
	case len(c.files) == 0:
		return c, errors.New("no file given; - reads standard input, -h helps")
	case c.node == "" && c.zone == "":
		return c, errors.New("say who sends traffic: -node or -zone; -h helps")
	case strings.Count(c.service, "/") > 1:
		return c, fmt.Errorf("-service %s: want name or namespace/name", c.service)
	}
	return c, nil
}

// location is where traffic comes from. Without -zone it is the zone of the Node, if Nodes are given at all.
func (c config) location(nodes []*corev1.Node) (routing.Location, error) {
	at := routing.Location{NodeName: c.node, Zone: c.zone}
	if c.node == "" || c.zone != "" || len(nodes) == 0 {
		return at, nil
	}
	if node := services.NodesByName(nodes)(c.node); node != nil {
		at.Zone = node.Labels[corev1.LabelTopologyZone]
		return at, nil
	}
	return at, fmt.Errorf("-node %s: no such Node in the input, which has %d; check the name, or give -zone too", c.node, len(nodes))
}

// subject is a Service that slices belong to, or that was given.
type subject struct {
	name   types.NamespacedName
	object *corev1.Service // nil if it was not given

	assumed bool // it was given without a cluster IP
}

// services lists the Services to report on, by namespace and name.
func (c config) services(view dedup.View, given []*corev1.Service) ([]subject, error) {
	var all []subject
	for name := range view.Services() {
		all = append(all, subject{name: name})
	}
	for _, s := range given {
		name := types.NamespacedName{Namespace: s.Namespace, Name: s.Name}
		s, assumed := manifest.Answered(s)
		if i := slices.IndexFunc(all, func(s subject) bool { return s.name == name }); i >= 0 {
			all[i].object, all[i].assumed = s, assumed
		} else {
			all = append(all, subject{name, s, assumed})
		}
	}
	all = slices.DeleteFunc(all, func(s subject) bool {
		return c.service != "" && c.service != s.name.Name && c.service != s.name.String()
	})
	if len(all) == 0 && c.service != "" {
		return nil, fmt.Errorf("-service %s: no such Service in the input", c.service)
	}
	slices.SortFunc(all, func(a, b subject) int {
		return cmp.Or(cmp.Compare(a.name.Namespace, b.name.Namespace), cmp.Compare(a.name.Name, b.name.Name))
	})
	return all, nil
}
