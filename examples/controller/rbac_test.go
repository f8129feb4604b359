package main

import (
	"context"
	"os"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/slicewright/slicewright/internal/apiserver"
)

// permit lets the controller's user do what rbac.yaml says and nothing else, so that every test of the controller shows
// that this is enough.
func permit(server client.Client) error {
	text, err := os.ReadFile("rbac.yaml")
	if err != nil {
		return err
	}
	var role rbacv1.ClusterRole
	if err := yaml.UnmarshalStrict(text, &role); err != nil {
		return err
	}
	if err := server.Create(context.Background(), &role); err != nil {
		return err
	}
	return server.Create(context.Background(), &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: role.Name},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role.Name},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "User", Name: apiserver.Controller}},
	})
}
