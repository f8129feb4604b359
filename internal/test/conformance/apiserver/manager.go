package apiserver

import (
	"context"
	"os"
	"path/filepath"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// StartControllerManager starts a kube-controller-manager, which it builds if it is missing, as the
// administrator and without a leader's lease: one is all there are. It listens nowhere. It runs the
// controllers that the arguments turn on: --controllers=endpointslice-controller is the one that
// writes EndpointSlices.
func (s *Server) StartControllerManager(ctx context.Context, args ...string) (*Process, error) {
	path, err := Binary(ctx, ControllerManager)
	if err != nil {
		return nil, err
	}
	kubeconfig, err := s.Kubeconfig(Admin)
	if err != nil {
		return nil, err
	}
	return s.Run(path, append([]string{
		"--kubeconfig=" + kubeconfig, "--leader-elect=false", "--bind-address=127.0.0.1", "--secure-port=0",
		"--profiling=false",
	}, args...)...)
}

// Kubeconfig writes a file that lets a program connect as the user, and returns its path. Close
// removes it.
func (s *Server) Kubeconfig(user string) (string, error) {
	config := clientcmdapi.NewConfig()
	config.Clusters["loopback"] = &clientcmdapi.Cluster{
		Server: s.Config(user).Host, CertificateAuthorityData: s.credentials.authority,
	}
	config.AuthInfos[user] = &clientcmdapi.AuthInfo{Token: s.credentials.tokens[user]}
	config.Contexts["loopback"] = &clientcmdapi.Context{Cluster: "loopback", AuthInfo: user}
	config.CurrentContext = "loopback"
	text, err := clientcmd.Write(*config)
	if err != nil {
		return "", err
	}
	file := filepath.Join(s.dir, "kubeconfig-"+user)
	return file, os.WriteFile(file, text, 0o600)
}
