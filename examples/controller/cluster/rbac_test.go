package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/slicewright/slicewright/internal/test/apiserver"
)

// account is the ServiceAccount of deploy/, and its namespace.
const account = "network-slices"

// deployed returns the objects of deploy/, in the order in which kustomize has them.
func deployed() (objects []*unstructured.Unstructured, err error) {
	var kustomization struct{ Resources []string }
	text, err := os.ReadFile("../deploy/kustomization.yaml")
	if err == nil {
		err = yaml.Unmarshal(text, &kustomization)
	}
	for _, name := range kustomization.Resources {
		text, fileErr := os.ReadFile(filepath.Join("../deploy", name))
		err = errors.Join(err, fileErr)
		decoder := utilyaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096)
		for {
			object := &unstructured.Unstructured{}
			decodeErr := decoder.Decode(object)
			if errors.Is(decodeErr, io.EOF) {
				break
			}
			if err = errors.Join(err, decodeErr); err != nil {
				return nil, err
			}
			objects = append(objects, object)
		}
	}
	return objects, err
}

// permit deploys the controller, with what it may do and nothing else, so that every test shows that this is enough. The
// API server refuses a field that it does not know.
func permit(server client.Client) error {
	objects, err := deployed()
	if err != nil {
		return err
	}
	strict := client.WithFieldValidation(server, metav1.FieldValidationStrict)
	for _, object := range objects {
		if err := strict.Create(context.Background(), object); err != nil {
			return fmt.Errorf("%s %s: %w", object.GetKind(), object.GetName(), err)
		}
	}
	return nil
}

// permitLease lets the controller have its lease in another namespace, as it may in its own.
func (c *cluster) permitLease() {
	objects, err := deployed()
	c.do(err)
	for _, object := range objects {
		if kind := object.GetKind(); kind == "Role" || kind == "RoleBinding" {
			object.SetNamespace(c.namespace)
			c.do(client.IgnoreAlreadyExists(c.admin.Create(c.Context(), object)))
		}
	}
}

// asController is what a Pod of the deployment may do.
func asController(server *apiserver.Server) *rest.Config {
	config := server.Config(apiserver.Admin)
	config.Impersonate = rest.ImpersonationConfig{
		UserName: "system:serviceaccount:" + account + ":" + account,
		Groups:   []string{"system:serviceaccounts", "system:serviceaccounts:" + account, "system:authenticated"},
	}
	return config
}

// access is a kind of request: what RBAC decides about.
type access struct{ verb, group, resource string }

// accessOf returns that of a request.
func accessOf(r *http.Request) access {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	var a access
	switch {
	case len(parts) > 2 && parts[0] == "api":
		parts = parts[2:]
	case len(parts) > 3 && parts[0] == "apis":
		a.group, parts = parts[1], parts[3:]
	default:
		return a // discovery, which everybody may
	}
	if parts[0] == "namespaces" && len(parts) > 2 {
		parts = parts[2:]
	}
	a.resource = parts[0]
	a.verb = map[string]string{http.MethodPost: "create", http.MethodPut: "update", http.MethodPatch: "patch", http.MethodDelete: "delete"}[r.Method]
	switch {
	case a.verb != "":
	case r.URL.Query().Get("watch") != "":
		a.verb = "watch"
	case len(parts) > 1:
		a.verb = "get"
	default:
		a.verb = "list"
	}
	return a
}

// asked is what controllers asked for in all tests.
var asked = struct {
	sync.Mutex
	granted, refused map[access]bool
}{granted: map[access]bool{}, refused: map[access]bool{}}

// note remembers a request and whether it was allowed.
func note(r *http.Request, response *http.Response) {
	a := accessOf(r)
	asked.Lock()
	defer asked.Unlock()
	if response.StatusCode == http.StatusForbidden {
		asked.refused[a] = true
	} else {
		asked.granted[a] = true
	}
}

// unasked says what no request shows: an admission plugin asks for the update of finalizers
// (OwnerReferencesPermissionEnforcement), and objects are listed where the API server cannot send them in a watch.
func unasked(a access) bool { return a.resource == "services/finalizers" || a.verb == "list" }

// permitted returns what deploy/ permits.
func permitted() (map[access]bool, error) {
	all := map[access]bool{}
	objects, err := deployed()
	for _, object := range objects {
		var role struct{ Rules []rbacv1.PolicyRule }
		text, _ := yaml.Marshal(object.Object)
		err = errors.Join(err, yaml.Unmarshal(text, &role))
		for _, rule := range role.Rules {
			for _, resource := range rule.Resources {
				for _, verb := range rule.Verbs {
					all[access{verb, rule.APIGroups[0], resource}] = true
				}
			}
		}
	}
	return all, err
}

// excess returns what deploy/ does not permit and some test asked for, and what it permits and no test asked for.
func excess() (problems []string) {
	all, err := permitted()
	if err != nil {
		return []string{err.Error()}
	}
	asked.Lock()
	defer asked.Unlock()
	for a := range asked.refused {
		if !all[a] { // else it was too early: the API server takes a moment to learn of new roles
			problems = append(problems, fmt.Sprintf("deploy/rbac.yaml does not permit %+v", a))
		}
	}
	for a := range all {
		if !asked.granted[a] && !unasked(a) {
			problems = append(problems, fmt.Sprintf("deploy/rbac.yaml permits %+v, and no test needs it", a))
		}
	}
	slices.Sort(problems)
	return problems
}
