package accept

import (
	"errors"
	"fmt"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// MaxEndpoints is the largest number of endpoints that a slice may have.
const MaxEndpoints = 1000

// MaxPorts is the largest number of ports that a slice may have.
const MaxPorts = 20000

// Faults are the mistakes in a call, in the order in which they are found.
type Faults []error

// Add adds a mistake.
func (f *Faults) Add(err *field.Error) { *f = append(*f, err) }

// List adds mistakes that apimachinery found. To the error of a missing value it adds what to do.
func (f *Faults) List(errs field.ErrorList) {
	for _, err := range errs {
		if err.Type == field.ErrorTypeRequired && err.Detail == "" {
			err.Detail = "set this field"
		}
		f.Add(err)
	}
}

// Invalid adds a mistake for each message about a value.
func (f *Faults) Invalid(path *field.Path, value string, messages []string) {
	for _, msg := range messages {
		f.Add(field.Invalid(path, value, msg))
	}
}

// Err joins the mistakes, and returns nil if there are none.
func (f Faults) Err() error { return errors.Join(f...) }

// Duplicate returns the error for a value that occurs twice. advice says what to do.
func Duplicate(path *field.Path, value any, advice string) *field.Error {
	err := field.Duplicate(path, value)
	err.Detail = advice
	return err
}

// NotSupported returns the error for an option whose value is not one of the constants of its type.
// known are the values of all constants, the empty string first. zero is the name of the constant
// whose value is the empty string.
func NotSupported[E ~string](path *field.Path, value E, zero string, known []E) *field.Error {
	err := field.NotSupported(path, string(value), known)
	err.Detail = fmt.Sprintf("use %q for %s", "", zero)
	for _, k := range known[1:] {
		err.Detail += fmt.Sprintf(", or %q", string(k))
	}
	return err
}

// Ports adds what the API server refuses in the ports of a slice. If numbers is true, the numbers
// of the ports are also checked, which the API server does not do. path returns the path of the
// list.
func (f *Faults) Ports(ports []discoveryv1.EndpointPort, numbers bool, path func() *field.Path) {
	if len(ports) > MaxPorts {
		f.Add(field.TooMany(path(), len(ports), MaxPorts))
		return
	}
	names := map[string]bool{}
	for i := range ports {
		p, at := endpoint.PortOf(&ports[i]), func(name string) *field.Path { return path().Index(i).Child(name) }
		if names[p.Name] {
			f.Add(Duplicate(at("name"), p.Name, "give each port a name of its own"))
		}
		names[p.Name] = true
		if !numbers {
			p.Number = endpoint.AnyPort
		}
		f.Port(p, ports[i].AppProtocol, at)
	}
}

// validNumber reports whether a port can have this number.
func validNumber(number int64) bool { return number >= 1 && number <= 65535 }

// Port adds what the API server refuses in one port of a slice, apart from the other ports of the
// slice. at returns the path of a field of the port. app is the appProtocol of the port, or nil.
func (f *Faults) Port(p endpoint.Port, app *string, at func(name string) *field.Path) {
	if p.Name != "" && !PlainName(p.Name, false) {
		f.Invalid(at("name"), p.Name, validation.IsDNS1123Label(p.Name))
	}
	if !slices.Contains(endpoint.Protocols[:], p.Protocol) {
		f.Add(field.NotSupported(at("protocol"), string(p.Protocol), endpoint.Protocols[:]))
	}
	if p.Number != endpoint.AnyPort && !validNumber(p.Number) {
		f.Add(field.Invalid(at("port"), p.Number, "use 1 to 65535"))
	}
	if app != nil && !PlainKey(*app) {
		f.Invalid(at("appProtocol"), *app, validation.IsQualifiedName(*app))
	}
}

// Owner adds what the API server refuses in an owner reference, except for an empty UID.
func (f *Faults) Owner(o *metav1.OwnerReference, path *field.Path) {
	for _, text := range [...]struct{ name, value string }{
		{"apiVersion", o.APIVersion}, {"kind", o.Kind}, {"name", o.Name},
	} {
		if text.value == "" {
			f.Add(field.Required(path.Child(text.name), "must not be empty"))
		}
	}
	version, err := schema.ParseGroupVersion(o.APIVersion)
	if err != nil || version.Version == "" && o.APIVersion != "" {
		f.Add(field.Invalid(path.Child("apiVersion"), o.APIVersion, "must be <group>/<version> or <version>"))
	}
	if _, banned := apivalidation.BannedOwners[version.WithKind(o.Kind)]; banned {
		f.Add(field.Invalid(path.Child("kind"), o.Kind, "is disallowed from being an owner"))
	}
}

// RefusePort returns the first thing that is wrong with a port, or nil if nothing is. It checks the
// number, too. The paths fit Services, Endpoints and slices, because their ports have fields of the
// same names.
func RefusePort(p endpoint.Port, at *field.Path) *field.Error {
	var app *string
	if p.AppProtocol != "" {
		app = &p.AppProtocol
	}
	var faults Faults
	if faults.Port(p, app, func(name string) *field.Path { return at.Child(name) }); len(faults) > 0 {
		return faults[0].(*field.Error)
	}
	return nil
}
