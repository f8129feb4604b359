package endpoint

// ServiceController is the managed-by value of slices that kube-controller-manager's own controller
// publishes.
const ServiceController = "endpointslice-controller.k8s.io"
