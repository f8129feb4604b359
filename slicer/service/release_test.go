package service

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/hints"
)

// TestRelease works in one memory for Pods of all kinds, some of which a slice has. What it used is there for the next call, and
// nothing of the caller's.
func TestRelease(t *testing.T) {
	svc := &corev1.Service{}
	svc.Name = "web"
	svc.Spec.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol}
	svc.Spec.Ports = []corev1.ServicePort{{Port: 80}}
	svc.Spec.Selector = map[string]string{"app": "web"}
	var pods []*corev1.Pod
	for i := range 200 {
		pod := &corev1.Pod{}
		pod.Name, pod.UID, pod.Spec.NodeName = fmt.Sprint("web-", i), "uid", fmt.Sprint("node-", i)
		pod.Spec.Hostname, pod.Spec.Subdomain = fmt.Sprint("host-", i), "web"
		pod.Spec.Containers = []corev1.Container{{Ports: []corev1.ContainerPort{{ContainerPort: 80}}}}
		for _, ip := range []string{"10.0.0.%d", "fd00::%x"} {
			pod.Status.PodIPs = append(pod.Status.PodIPs, corev1.PodIP{IP: fmt.Sprintf(ip, 200-i)})
		}
		pods = append(pods, pod)
	}
	held := make([]*discoveryv1.EndpointSlice, 2)
	for family := range held {
		held[family] = &discoveryv1.EndpointSlice{AddressType: families[family]}
		held[family].Labels = map[string]string{discoveryv1.LabelServiceName: "web", discoveryv1.LabelManagedBy: "m"}
		for i := range 50 {
			pod := pods[i*7%50]
			held[family].Endpoints = append(held[family].Endpoints, discoveryv1.Endpoint{
				Addresses: []string{pod.Status.PodIPs[family].IP}, TargetRef: &corev1.ObjectReference{Name: pod.Name},
			})
		}
	}
	m, first := &memory{}, map[string]uintptr{}
	for _, again := range []bool{false, true} {
		w := m.begin(rulesOf(svc, Options{ManagedBy: "m", DeclaredPortsOnly: true, Selected: true}), workloads{pods: pods}, nil)
		groups := published(w, held, hints.None, &m.published)
		if countEndpoints(groups) != 400 {
			t.Fatalf("%d endpoints", countEndpoints(groups))
		}
		used := map[string]int{}
		eachSlice("", reflect.ValueOf(m).Elem(), func(path string, s reflect.Value, left int) {
			used[path] = left + s.Len()
		})
		m.release()
		eachSlice("", reflect.ValueOf(m).Elem(), func(path string, s reflect.Value, _ int) {
			if strings.HasPrefix(path, ".reader.ports.") || strings.HasPrefix(path, ".reader.workloads.") || strings.HasSuffix(path, ".skips") {
				if !s.IsNil() {
					t.Errorf("%s is kept", path)
				}
				return
			}
			if used[path] == 0 || s.Cap() < used[path] {
				t.Errorf("%s: there is room for %d of the %d that were used", path, s.Cap(), used[path])
			}
			if again && s.Pointer() != first[path] {
				t.Errorf("%s: memory that was large enough is not kept", path)
			}
			first[path] = s.Pointer()
			if hasPointers(s.Type().Elem()) && !isClear(s) {
				t.Errorf("%s is not empty", path)
			}
		})
		eachReference("", reflect.ValueOf(m).Elem(), func(path string, v reflect.Value) {
			if path == ".reader.places.byName" {
				if v.IsNil() || v.Len() != 0 || again && v.Pointer() != first[path] {
					t.Errorf("%s: %d of its names are kept, or its memory is not", path, v.Len())
				}
				first[path] = v.Pointer()
			} else if !v.IsNil() {
				t.Errorf("%s is kept", path)
			}
		})
	}
}

// TestArena: values stay where they are, and once all are forgotten there is room for as many in one block.
func TestArena(t *testing.T) {
	var a arena[int]
	var all []*int
	for i := range 500 {
		all = append(all, a.next())
		*all[i] = i
	}
	for i, p := range all {
		if *p != i {
			t.Fatalf("value %d is %d", i, *p)
		}
	}
	if a.clear(); len(a.block) != 0 || cap(a.block) < 500 {
		t.Errorf("%d values, room for %d", len(a.block), cap(a.block))
	}
}

// isClear reports whether a slice is empty, and nothing is in the memory behind it.
func isClear(s reflect.Value) bool {
	all := s.Slice(0, s.Cap())
	for i := range all.Len() {
		if !all.Index(i).IsZero() {
			return false
		}
	}
	return s.Len() == 0
}

// eachSlice visits all slices that a struct has, also those in the structs that it is made of, and with that of an arena how many
// values are in its earlier blocks.
func eachSlice(path string, v reflect.Value, visit func(path string, s reflect.Value, left int)) {
	for i := range v.NumField() {
		name := path + "." + v.Type().Field(i).Name
		switch f := v.Field(i); f.Kind() {
		case reflect.Struct:
			eachSlice(name, f, visit)
		case reflect.Slice:
			left := 0
			if earlier := v.FieldByName("left"); earlier.Kind() == reflect.Int {
				left = int(earlier.Int())
			}
			visit(name, f, left)
		}
	}
}

// eachReference visits all pointers, maps and functions that a struct has, also those in the structs that it is made of.
func eachReference(path string, v reflect.Value, visit func(path string, v reflect.Value)) {
	for i := range v.NumField() {
		name := path + "." + v.Type().Field(i).Name
		switch f := v.Field(i); f.Kind() {
		case reflect.Struct:
			eachReference(name, f, visit)
		case reflect.Pointer, reflect.Map, reflect.Func:
			visit(name, f)
		}
	}
}

func hasPointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if hasPointers(t.Field(i).Type) {
				return true
			}
		}
		return false
	case reflect.Array:
		return hasPointers(t.Elem())
	case reflect.Bool, reflect.Uint8, reflect.Uint32, reflect.Int32:
		return false
	}
	return true
}
