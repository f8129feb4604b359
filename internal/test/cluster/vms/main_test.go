package cluster

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/go-logr/logr"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/slicewright/slicewright/examples/vms/machines"
	"github.com/slicewright/slicewright/internal/test/cluster/apiserver"
)

// patience bounds every wait, because the machine may have more to do.
const patience = 2 * time.Minute

// shared is the API server of all tests, and admin a client of it that reads no cache. Each test has a namespace of its own.
var (
	shared *apiserver.Server
	admin  client.Client
)

func TestMain(m *testing.M) {
	ctrl.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard())
	os.Exit(runTests(m))
}

func runTests(m *testing.M) int {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	var err error
	if shared, err = apiserver.Start(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer shared.Close()
	if err := prepare(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// prepare teaches the API server what a VirtualMachineInstance is, and lets the controller's user do what rbac.yaml says
// and nothing else, so that every test shows that this is enough.
func prepare(ctx context.Context) (err error) {
	if admin, err = client.New(shared.Config(apiserver.Admin), client.Options{}); err != nil {
		return err
	}
	crd, role := &unstructured.Unstructured{}, &unstructured.Unstructured{}
	for file, object := range map[string]*unstructured.Unstructured{"testdata/crd.yaml": crd, "../../../../examples/vms/rbac.yaml": role} {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := yaml.UnmarshalStrict(text, &object.Object); err != nil {
			return err
		}
		if err := admin.Create(ctx, object); err != nil {
			return err
		}
	}
	err = admin.Create(ctx, &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: role.GetName()},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role.GetName()},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "User", Name: apiserver.Controller}},
	})
	for end := time.Now().Add(patience); err == nil; time.Sleep(100 * time.Millisecond) {
		list := &unstructured.UnstructuredList{Object: map[string]any{"apiVersion": machines.APIVersion, "kind": machines.Kind + "List"}}
		if missing := admin.List(ctx, list); missing == nil {
			return nil
		} else if time.Now().After(end) {
			return missing
		}
	}
	return err
}
