// Command controller publishes EndpointSlices for Services on a second network: with the addresses
// that Pods have there.
package main

import (
	"flag"
	"log"
	"os"

	"k8s.io/client-go/discovery"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"

	"github.com/slicewright/slicewright/examples/programs/multus/network"
)

func main() {
	c, o, err := network.Parse(flag.CommandLine, os.Args[1:])
	if err != nil {
		log.Fatal(err)
	}
	ctrl.SetLogger(zap.New())
	config, err := ctrl.GetConfig()
	if err == nil { // without a cluster this is all that there is to say
		_, err = discovery.NewDiscoveryClientForConfigOrDie(config).ServerVersion()
	}
	if err == nil {
		err = c.Run(ctrl.SetupSignalHandler(), config, o)
	}
	if err != nil {
		log.Fatal(err)
	}
}
