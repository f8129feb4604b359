package main

import (
	"context"

	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/discovery"
	discoveryclient "k8s.io/client-go/kubernetes/typed/discovery/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

// watchCluster fills the store from an API server until the context ends.
func watchCluster(ctx context.Context, kubeconfig, namespace string, s *store) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	client, err := discoveryclient.NewForConfig(config)
	if err != nil {
		return err
	}
	if _, err := discovery.NewDiscoveryClient(client.RESTClient()).ServerVersion(); err != nil {
		return err // later on the watch is taken up again, without a word
	}
	watch := cache.NewListWatchFromClient(client.RESTClient(), "endpointslices", namespace, fields.Everything())
	cache.NewReflector(watch, &discoveryv1.EndpointSlice{}, s, 0).RunWithContext(ctx)
	return ctx.Err()
}
