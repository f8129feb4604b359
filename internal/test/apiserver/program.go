package apiserver

// Program is one of the programs that this package builds and runs.
type Program struct {
	Name string // of the file
	pkg  string // as go build takes it
	work int    // minutes of one core that its build takes after the builds of the programs before it in Programs
}

// The programs.
var (
	Etcd              = Program{Name: "etcd", pkg: "go.etcd.io/etcd/server/v3", work: 1}
	KubeAPIServer     = Program{Name: "kube-apiserver", pkg: "k8s.io/kubernetes/cmd/kube-apiserver", work: 8}
	ControllerManager = Program{Name: "kube-controller-manager", pkg: "k8s.io/kubernetes/cmd/kube-controller-manager", work: 3}
)

// Programs lists all programs.
func Programs() []Program { return []Program{Etcd, KubeAPIServer, ControllerManager} }
