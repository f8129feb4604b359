// Command vms publishes EndpointSlices for Services whose backends are virtual machines of KubeVirt.
package main

import (
	"flag"
	"log"

	"k8s.io/client-go/discovery"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/slicewright/slicewright/examples/vms/machines"
)

func main() {
	flag.Parse() // controller-runtime's --kubeconfig
	if flag.NArg() > 0 {
		log.Fatalf("%q is no flag; -h lists them", flag.Arg(0))
	}
	ctrl.SetLogger(zap.New())
	config, err := ctrl.GetConfig()
	if err == nil { // without a cluster this is all that there is to say
		_, err = discovery.NewDiscoveryClientForConfigOrDie(config).ServerVersion()
	}
	if err == nil {
		err = machines.Run(ctrl.SetupSignalHandler(), config, manager.Options{})
	}
	if err != nil {
		log.Fatal(err)
	}
}
