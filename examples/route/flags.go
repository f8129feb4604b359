package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/slicewright/slicewright/examples/internal/commandline"
	"github.com/slicewright/slicewright/examples/internal/manifest"
	dedup "github.com/slicewright/slicewright/examples/internal/olddedup"
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

	forecasting bool
	weights     map[string]int64 // of the traffic of zones; nil: as Nodes say
	limit       int
	clients     string // of a lost zone: "move" or "go"
	output      string // "table", "json"
}

// weightUnit divides the weight of a zone among its Nodes.
const weightUnit = 100_000

const usage = `Usage: route -node NAME | -zone NAME | -forecast [flags] FILE...

Shows which endpoints of the Services in the files (YAML or JSON, "-" is standard input) a node would send traffic to,
which not, and why. Give it what kubectl prints:

  kubectl get services,nodes,endpointslices -o json | route -service web -node worker-1 -

With -forecast it shows what hints would do to the endpoints, and the loss of a zone, if each zone sends as much as its
Nodes have CPU.

Flags:
`

// parseFlags reads the command line. flag.ErrHelp says that help was asked for and given.
func parseFlags(args []string, stdout io.Writer) (config, error) {
	var c config
	flags := flag.NewFlagSet("route", flag.ContinueOnError)
	flags.StringVar(&c.node, "node", "", "`name` of the node that sends traffic")
	flags.StringVar(&c.zone, "zone", "",
		"`name` of the zone that sends traffic (default the zone of -node, where the Node is given)")
	flags.StringVar(&c.service, "service", "", "show this Service only: `name` or namespace/name")
	flags.BoolVar(&c.all, "all", false, "list every endpoint, not the first few of each kind")
	flags.BoolVar(&c.lenient, "lenient", false, "skip unknown fields, as a newer API server may print")
	flags.BoolVar(&c.forecasting, "forecast", false,
		"compare the loads of endpoints without hints, with those that are published, and with others")
	flags.Func("weight", "with -forecast: the traffic that each zone sends, `zone=n` with commas between them, n "+
		"from 1 to 1000000 (default the CPUs of its Nodes)", c.weight)
	flags.IntVar(&c.limit, "limit", 50, "with -forecast: how many `percent` above the mean PreferSameZone with a limit may "+
		"load an endpoint, 1 to 1000")
	flags.StringVar(&c.clients, "clients", "",
		"with -forecast: what the clients of a lost `zone` do: move to the others, or go (default move)")
	flags.StringVar(&c.output, "o", "", "with -forecast: output `format`, table or json (default table)")
	files, err := commandline.Parse(flags, args, usage, stdout)
	if err != nil {
		return c, err
	}
	switch c.files = files; {
	case len(c.files) == 0:
		return c, errors.New("no file given; - reads standard input, -h helps")
	case c.node == "" && c.zone == "" && !c.forecasting:
		return c, errors.New("say who sends traffic: -node or -zone, or ask for a -forecast of all; -h helps")
	case c.forecasting && (c.node != "" || c.zone != ""):
		return c, errors.New("-forecast is of the traffic of all Nodes: leave out -node and -zone")
	case !c.forecasting && (c.weights != nil || c.limit != 50 || c.clients != "" || c.output != ""):
		return c, errors.New("-weight, -limit, -clients and -o go with -forecast: add it, or leave them out")
	case c.limit < 1 || c.limit > 1000:
		return c, fmt.Errorf("-limit %d: want 1 to 1000 percent", c.limit)
	case c.clients != "" && c.clients != "move" && c.clients != "go":
		return c, fmt.Errorf("-clients %s: want move or go", c.clients)
	case c.output != "" && c.output != "table" && c.output != "json":
		return c, fmt.Errorf("-o %s: want table or json", c.output)
	case strings.Count(c.service, "/") > 1:
		return c, fmt.Errorf("-service %s: want name or namespace/name", c.service)
	}
	c.clients = cmp.Or(c.clients, "move")
	return c, nil
}

// weight reads zone=n, or several with commas between them.
func (c *config) weight(text string) error {
	for word := range strings.SplitSeq(text, ",") {
		zone, number, _ := strings.Cut(word, "=")
		n, err := strconv.Atoi(number)
		if zone == "" || err != nil || n < 1 || n > 1_000_000 {
			return fmt.Errorf("%q: want zone=n with n from 1 to 1000000", word)
		}
		if _, twice := c.weights[zone]; twice {
			return fmt.Errorf("zone %s has two weights; give one", zone)
		}
		if c.weights == nil {
			c.weights = map[string]int64{}
		}
		c.weights[zone] = int64(n)
	}
	return nil
}

// location is where traffic comes from. Without -zone it is the zone of the Node, if Nodes are
// given at all.
func (c config) location(nodes []*corev1.Node) (routing.Location, error) {
	at := routing.Location{NodeName: c.node, Zone: c.zone}
	if c.node == "" || c.zone != "" || len(nodes) == 0 {
		return at, nil
	}
	if node := services.NodesByName(nodes)(c.node); node != nil {
		at.Zone = node.Labels[corev1.LabelTopologyZone]
		return at, nil
	}
	return at, fmt.Errorf("-node %s: no such Node in the input, which has %d; check the name, or give -zone too",
		c.node, len(nodes))
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
		return nil, fmt.Errorf("-service %s: no such Service in the input; check the name", c.service)
	}
	slices.SortFunc(all, func(a, b subject) int {
		return cmp.Or(cmp.Compare(a.name.Namespace, b.name.Namespace), cmp.Compare(a.name.Name, b.name.Name))
	})
	return all, nil
}
