//lint:file-ignore SA1019 Endpoints are what package mirror converts

package zero_test

import (
	"context"

	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/slicewright/slicewright/conditions"
	"github.com/slicewright/slicewright/dedup"
	"github.com/slicewright/slicewright/dedup/deduptest"
	"github.com/slicewright/slicewright/hints"
	"github.com/slicewright/slicewright/hints/forecast"
	"github.com/slicewright/slicewright/hints/routing"
	"github.com/slicewright/slicewright/mirror"
	"github.com/slicewright/slicewright/mirror/mcs"
	"github.com/slicewright/slicewright/slicer"
	"github.com/slicewright/slicewright/slicer/publish"
	"github.com/slicewright/slicewright/slicer/services"
	"github.com/slicewright/slicewright/slicer/slicertest"
)

// The types with which functions with type parameters are called.
type (
	cache  = dedup.Cache[string, string, int]
	served = dedup.Served[dedup.Found]
	list   = []*discoveryv1.EndpointSlice
	one    = *discoveryv1.Endpoint
)

// calls are all exported functions and methods, by the package, the type and the name.
// TestEveryFunctionIsCalled compares them with testdata/api.txt.
var calls = map[string]any{
	"conditions.State.Conditions":             conditions.State.Conditions,
	"conditions.State.ServesWhileTerminating": conditions.State.ServesWhileTerminating,
	"conditions.Finished":                     conditions.Finished,
	"conditions.FromPod":                      conditions.FromPod,
	"conditions.New":                          conditions.New,
	"conditions.Of":                           conditions.Of,
	"conditions.PodReady":                     conditions.PodReady,

	"dedup.Cache.All":           (*cache).All,
	"dedup.Cache.Delete":        (*cache).Delete,
	"dedup.Cache.Get":           (*cache).Get,
	"dedup.Cache.Has":           (*cache).Has,
	"dedup.Cache.Len":           (*cache).Len,
	"dedup.Cache.Put":           (*cache).Put,
	"dedup.Cache.Update":        (*cache).Update,
	"dedup.Conflict.String":     dedup.Conflict.String,
	"dedup.Delta.Added":         dedup.Delta.Added,
	"dedup.Delta.Changed":       dedup.Delta.Changed,
	"dedup.Delta.Counts":        dedup.Delta.Counts,
	"dedup.Delta.Removed":       dedup.Delta.Removed,
	"dedup.Delta.String":        dedup.Delta.String,
	"dedup.Endpoint.AddrPort":   dedup.Endpoint.AddrPort,
	"dedup.Endpoint.Candidate":  dedup.Endpoint.Candidate,
	"dedup.Endpoint.Host":       dedup.Endpoint.Host,
	"dedup.Endpoint.String":     dedup.Endpoint.String,
	"dedup.Fields.String":       dedup.Fields.String,
	"dedup.Found.Candidate":     dedup.Found.Candidate,
	"dedup.Found.State":         dedup.Found.State,
	"dedup.Index.Delete":        (*dedup.Index).Delete,
	"dedup.Index.Flush":         (*dedup.Index).Flush,
	"dedup.Index.Handle":        (*dedup.Index).Handle,
	"dedup.Index.Replace":       (*dedup.Index).Replace,
	"dedup.Index.Upsert":        (*dedup.Index).Upsert,
	"dedup.Index.View":          (*dedup.Index).View,
	"dedup.Problem.String":      dedup.Problem.String,
	"dedup.Problems.String":     dedup.Problems.String,
	"dedup.ServicePort.Compare": dedup.ServicePort.Compare,
	"dedup.ServicePort.String":  dedup.ServicePort.String,
	"dedup.Served.Named":        served.Named,
	"dedup.Served.Number":       served.Number,
	"dedup.View.All":            dedup.View.All,
	"dedup.View.ByTarget":       dedup.View.ByTarget,
	"dedup.View.Conflicts":      dedup.View.Conflicts,
	"dedup.View.Endpoint":       dedup.View.Endpoint,
	"dedup.View.Endpoints":      dedup.View.Endpoints,
	"dedup.View.Has":            dedup.View.Has,
	"dedup.View.Len":            dedup.View.Len,
	"dedup.View.OfService":      dedup.View.OfService,
	"dedup.View.Ports":          dedup.View.Ports,
	"dedup.View.Problems":       dedup.View.Problems,
	"dedup.View.Services":       dedup.View.Services,
	"dedup.Addresses":           dedup.Addresses,
	"dedup.ByLabel":             dedup.ByLabel,
	"dedup.ForGateway":          dedup.ForGateway,
	"dedup.Merge":               dedup.Merge,
	"dedup.NewCache":            dedup.NewCache[string, string, int],
	"dedup.NewIndex":            dedup.NewIndex,
	"dedup.OfService":           dedup.OfService,
	"dedup.OnePort":             dedup.OnePort,
	"dedup.Pointers":            dedup.Pointers[discoveryv1.EndpointSlice],
	"dedup.Proxied":             dedup.Proxied,
	"dedup.RankOf":              dedup.RankOf,
	"dedup.ResolvePort":         dedup.ResolvePort,
	"dedup.SourceOf":            dedup.SourceOf,
	"dedup.Targets":             dedup.Targets,
	"deduptest.Finding.String":  deduptest.Finding.String,
	"deduptest.Seen.String":     deduptest.Seen.String,
	"deduptest.Check":           deduptest.Check,

	"hints.Decision.Same":    hints.Decision.Same,
	"hints.Decision.String":  hints.Decision.String,
	"hints.Hint.Endpoint":    hints.Hint.Endpoint,
	"hints.Hint.Matches":     hints.Hint.Matches,
	"hints.Options.Validate": hints.Options.Validate,
	"hints.Overload.String":  hints.Overload.String,
	"hints.Assign":           hints.Assign,
	"hints.HintOf":           hints.HintOf,
	"hints.ModeOf":           hints.ModeOf,
	"hints.NeedsSync":        hints.NeedsSync,
	"hints.NodeWeights":      hints.NodeWeights,
	"hints.NodesMatter":      hints.NodesMatter,
	"forecast.Forecast":      forecast.Forecast[one],
	"forecast.Spread":        forecast.Spread,
	"routing.Scope.Near":     routing.Scope.Near,
	"routing.CandidatesOf":   routing.CandidatesOf,
	"routing.Explain":        routing.Explain[one],
	"routing.Failover":       routing.Failover[one],
	"routing.Inside":         routing.Inside,
	"routing.NearOf":         routing.NearOf,
	"routing.Outside":        routing.Outside,
	"routing.Route":          routing.Route[one],

	"mirror.CopyName":      mirror.CopyName,
	"mirror.CopySlice":     mirror.CopySlice,
	"mirror.Eligible":      mirror.Eligible,
	"mirror.FromEndpoints": mirror.FromEndpoints,
	"mirror.FromSlices":    mirror.FromSlices,
	"mirror.LabelValue":    mirror.LabelValue,
	"mirror.Plan":          mirror.Plan,
	"mirror.PlanCopy":      mirror.PlanCopy,
	"mirror.SetOf":         mirror.SetOf,
	"mirror.ToEndpoints":   mirror.ToEndpoints,
	"mcs.Import.Set":       mcs.Import.Set,
	"mcs.MergeExports":     mcs.MergeExports,
	"mcs.PlanImport":       mcs.PlanImport,

	"slicer.Gap.String":         slicer.Gap.String,
	"slicer.Ignored.String":     slicer.Ignored.String,
	"slicer.Plan.After":         slicer.Plan.After,
	"slicer.Plan.Empty":         slicer.Plan.Empty,
	"slicer.Plan.Gaps":          slicer.Plan.Gaps,
	"slicer.Plan.Retry":         slicer.Plan.Retry,
	"slicer.Plan.Stats":         slicer.Plan.Stats,
	"slicer.Plan.String":        slicer.Plan.String,
	"slicer.Plan.Summary":       slicer.Plan.Summary,
	"slicer.Plan.Warnings":      slicer.Plan.Warnings,
	"slicer.Severity.String":    slicer.Severity.String,
	"slicer.Skip.Error":         slicer.Skip.Error,
	"slicer.Skip.String":        slicer.Skip.String,
	"slicer.Skip.Unwrap":        slicer.Skip.Unwrap,
	"slicer.Skips.String":       slicer.Skips.String,
	"slicer.Step.Preconditions": slicer.Step.Preconditions,
	"slicer.Step.String":        slicer.Step.String,
	"slicer.Check":              slicer.Check,
	"slicer.Compute":            slicer.Compute,
	"slicer.Orphans":            slicer.Orphans,
	"slicer.Pointers":           slicer.Pointers[discoveryv1.EndpointSlice],

	"publish.StepError.Error":  (*publish.StepError).Error,
	"publish.StepError.Unwrap": (*publish.StepError).Unwrap,
	"publish.Syncer.Backends":  (*publish.Syncer).Backends,
	"publish.Syncer.Pods":      (*publish.Syncer).Pods,
	"publish.Syncer.Remove":    (*publish.Syncer).Remove,
	"publish.Syncer.Selection": (*publish.Syncer).Selection,
	"publish.Syncer.Sync":      (*publish.Syncer).Sync,
	"publish.Syncer.With":      (*publish.Syncer).With,
	"publish.Apply":            publish.Apply,
	"publish.ClientSlices":     publish.ClientSlices[client, lister],
	"publish.ClientWriter":     publish.ClientWriter,
	"publish.New":              publish.New,

	"services.Options.Key":       services.Options.Key,
	"services.Selection.Selects": services.Selection.Selects,
	"services.BackendMatters":    services.BackendMatters,
	"services.BackendsInput":     services.BackendsInput,
	"services.CordonMatters":     services.CordonMatters,
	"services.Input":             services.Input,
	"services.Managed":           services.Managed,
	"services.NodeMatters":       services.NodeMatters,
	"services.NodesByName":       services.NodesByName,
	"services.Plan":              services.Plan,
	"services.PlanBackends":      services.PlanBackends,
	"services.PlanRemoval":       services.PlanRemoval,
	"services.PlanSelection":     services.PlanSelection,
	"services.PodMatters":        services.PodMatters,
	"services.Selects":           services.Selects,
	"services.ServiceMatters":    services.ServiceMatters,
	"services.SliceMatters":      services.SliceMatters,

	"slicertest.Finding.String": slicertest.Finding.String,
	"slicertest.State.Node":     slicertest.State.Node,
	"slicertest.Check":          slicertest.Check,
}

// notCalled are the exported functions that no table can call.
var notCalled = map[string]string{
	"deduptest.Run":            "fails the *testing.T that it is given, and is otherwise Check",
	"slicertest.Run":           "fails the *testing.T that it is given, and is otherwise Check",
	"slicertest.API.Create":    "only the kit makes an API",
	"slicertest.API.Delete":    "only the kit makes an API",
	"slicertest.API.Get":       "only the kit makes an API",
	"slicertest.API.List":      "only the kit makes an API",
	"slicertest.API.Patch":     "only the kit makes an API",
	"slicertest.API.RoundTrip": "only the kit makes an API",
	"slicertest.API.Update":    "only the kit makes an API",
}

// client answers without a server.
type client struct{}

func (client) Get(context.Context, string, metav1.GetOptions) (*discoveryv1.EndpointSlice, error) {
	return nil, nil
}

func (client) List(context.Context, metav1.ListOptions) (*discoveryv1.EndpointSliceList, error) {
	return nil, nil
}

func (client) Create(
	context.Context, *discoveryv1.EndpointSlice, metav1.CreateOptions,
) (*discoveryv1.EndpointSlice, error) {
	return nil, nil
}

func (client) Update(
	context.Context, *discoveryv1.EndpointSlice, metav1.UpdateOptions,
) (*discoveryv1.EndpointSlice, error) {
	return nil, nil
}

func (client) Delete(context.Context, string, metav1.DeleteOptions) error { return nil }

type lister struct{}

func (lister) List(labels.Selector) ([]*discoveryv1.EndpointSlice, error) { return nil, nil }
