package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/slicewright/slicewright/examples/internal/commandline"
	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/services"
)

// config is what the flags say.
type config struct {
	files    []string
	service  string // name or namespace/name; empty: all
	pod      string // to explain: name or namespace/name; empty: none
	output   string // "table", "yaml"
	watchers int
	all      bool
	lenient  bool
	noPods   bool

	from    services.Options
	options slicer.Options
	hinted  bool            // from.Hints.Mode was given; else each Service says it
	given   map[string]bool // the flags that were
}

const usage = `Usage: plan [flags] FILE...

Shows what would be written to the EndpointSlices of the Services in the files (YAML or JSON, "-" is standard input),
and why. Give it what kubectl prints:

  kubectl get services,pods,nodes,endpointslices -o json | plan -service web -

Flags:
`

// parseFlags reads the command line. flag.ErrHelp says that help was asked for and given.
func parseFlags(args []string, stdout io.Writer) (config, error) {
	c := config{}
	flags := flag.NewFlagSet("plan", flag.ContinueOnError)
	c.defineOutput(flags)
	c.defineDerivation(flags)
	c.defineOptions(flags)
	var err error
	if c.files, err = commandline.Parse(flags, args, usage, stdout); err != nil {
		return c, err
	}
	return c, c.complete(flags)
}

func (c *config) defineOutput(flags *flag.FlagSet) {
	flags.StringVar(&c.output, "o", "table", "output `format`: table, or yaml for kubectl")
	flags.StringVar(&c.service, "service", "", "plan for this Service only: `name` or namespace/name")
	flags.StringVar(&c.pod, "explain", "",
		"say why this `Pod` is published or is not, where, and which write changes that: name or namespace/name")
	flags.IntVar(&c.watchers, "watchers", 0,
		"`number` of watchers to count the bytes for, such as one per node; 0: the number of Nodes read")
	flags.BoolVar(&c.all, "all", false, "list every endpoint that is skipped, not the first few of each reason")
	flags.BoolVar(&c.noPods, "no-pods", false,
		"a namespace without Pods in the input has none, so their endpoints are removed")
	flags.BoolVar(&c.lenient, "lenient", false,
		"skip unknown fields, as a newer API server may print, and objects of other APIs")
}

func (c *config) defineDerivation(flags *flag.FlagSet) {
	o := &c.from
	flags.StringVar(&o.ManagedBy, "managed-by", services.KubernetesManager, "`manager` whose slices these are")
	flags.BoolVar(&o.SkipUnresolved, "skip-unresolved", false,
		"leave out a Pod that does not have a named port, instead of publishing it with the other ports")
	flags.BoolVar(&o.DeclaredPortsOnly, "declared-ports-only", false,
		"publish a port only where the container declares it")
}

func (c *config) defineOptions(flags *flag.FlagSet) {
	o := &c.options
	flags.IntVar(&o.MaxEndpointsPerSlice, "max", 100, "`number` of endpoints per slice at most, 1 to 1000")
	flags.Func("packing", "which slices take and give endpoints: `InPlace or Compact` (default InPlace)",
		func(text string) error {
			return choose(&o.Packing, text, "InPlace", slicer.Compact)
		})
	flags.IntVar(&o.DissolveUpTo, "dissolve-up-to", 0,
		"how full a slice may be to be dissolved, in `percent` of the maximum (with -packing Compact; default 100)")
	flags.BoolVar(&o.ByTargetUID, "by-target-uid", false,
		"identify endpoints by the UID of their Pod, not by address and name")
	flags.BoolVar(&o.SplitOversize, "split-oversize", false, "write slices above the maximum now")
	flags.Func("invalid", "what becomes of endpoints that the API server would refuse: `LeaveOut, Fail or Pass` "+
		"(default LeaveOut)", func(text string) error {
		return choose(&o.Invalid, text, "LeaveOut", slicer.Fail, slicer.Pass)
	})
	flags.Func("hints", "`mode` of zone and node hints: None, Given, Keep, PreferSameZone, PreferSameNode or Auto "+
		"(default what the Service asks for)", func(text string) error {
		c.hinted = true
		return choose(&c.from.Hints.Mode, text, "None", hints.Given, hints.Keep, hints.PreferSameZone, hints.PreferSameNode,
			hints.Auto)
	})
	flags.IntVar(&c.from.Hints.Limit, "limit", 0,
		"how many `percent` above the mean PreferSameZone hints may load an endpoint, 1 to 1000, by the CPUs of the Nodes; "+
			"0: any")
}

// complete checks what no single flag can.
func (c *config) complete(flags *flag.FlagSet) error {
	c.given = map[string]bool{}
	flags.Visit(func(f *flag.Flag) { c.given[f.Name] = true })
	switch {
	case len(c.files) == 0:
		return fmt.Errorf("no file given; - reads standard input, -h helps")
	case c.output != "table" && c.output != "yaml":
		return fmt.Errorf("-o %s: want table or yaml", c.output)
	case len(validation.IsValidLabelValue(c.from.ManagedBy)) > 0 || c.from.ManagedBy == "":
		return fmt.Errorf("-managed-by %q: it is the value of a label: want letters, digits, '-', '_' and '.', at "+
			"most 63, such as slices.example.com", c.from.ManagedBy)
	case c.watchers < 0 || c.watchers > 1_000_000:
		return fmt.Errorf("-watchers %d: want 0 to 1000000", c.watchers)
	case c.options.MaxEndpointsPerSlice < 1 || c.options.MaxEndpointsPerSlice > 1000:
		return fmt.Errorf("-max %d: want 1 to 1000", c.options.MaxEndpointsPerSlice)
	case c.options.DissolveUpTo < 0 || c.options.DissolveUpTo > 100:
		return fmt.Errorf("-dissolve-up-to %d: want 1 to 100 percent, or 0 for 100", c.options.DissolveUpTo)
	case c.from.Hints.Limit < 0 || c.from.Hints.Limit > 1000:
		return fmt.Errorf("-limit %d: want 1 to 1000 percent, or 0 for no limit", c.from.Hints.Limit)
	case c.given["limit"] && c.hinted && c.from.Hints.Mode != hints.PreferSameZone:
		return fmt.Errorf("-limit: only PreferSameZone hints have one, not -hints %s; leave it out",
			cmp.Or(string(c.from.Hints.Mode), "None"))
	case c.given["dissolve-up-to"] && c.options.Packing != slicer.Compact:
		return fmt.Errorf("-dissolve-up-to %d: only -packing Compact dissolves slices; add it", c.options.DissolveUpTo)
	case strings.Count(c.service, "/") > 1:
		return fmt.Errorf("-service %s: want name or namespace/name", c.service)
	case strings.Count(c.pod, "/") > 1:
		return fmt.Errorf("-explain %s: want name or namespace/name", c.pod)
	case c.pod != "" && c.output != "table":
		return fmt.Errorf("-explain: is prose, not -o %s; leave one of them out", c.output)
	}
	return nil
}

// choose sets an option to the value of which this is the word; first is that of the zero value.
func choose[E ~string](option *E, text, first string, others ...E) error {
	switch {
	case text == first:
		*option = ""
	case slices.Contains(others, E(text)):
		*option = E(text)
	default:
		words := first
		for i, o := range others {
			words += map[bool]string{true: " or ", false: ", "}[i == len(others)-1] + string(o)
		}
		return fmt.Errorf("want %s", words)
	}
	return nil
}
