package deduptest

import (
	"fmt"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// lifeKinds are changes in which slices are created or deleted, or get another Service. Some of
// them send no event.
var lifeKinds = []kind{
	{"delete", nil, func(w *cluster, c choose) string {
		name := one(c, allSlices)
		w.remove(name, false)
		return fmt.Sprintf("slice %s is deleted", name.Name)
	}},
	{"delete-twice", []string{"DoubledDeletes"}, func(w *cluster, c choose) string {
		name := one(c, allSlices)
		w.remove(name, false)
		w.removeAgain(name)
		return fmt.Sprintf("slice %s is deleted, which is reported twice", name.Name)
	}},
	{"delete-unnoticed", []string{"LostDeletes"}, deletedUnnoticed},
	{"replace", []string{"LostDeletes"}, replaced},
	{"older-version", []string{"OlderVersions"}, func(w *cluster, c choose) string {
		name := one(c, allSlices)
		w.recall(name)
		return fmt.Sprintf("a relist shows slice %s in an older version, and the watch catches up", name.Name)
	}},
	{"relist", nil, relisted},
	{"recreate", nil, recreated},
	{"relabel", []string{"Relabelling"}, relabelled},
}

// relisted changes slices while the watch is down. The list that follows is sorted by name, and not
// by version.
func relisted(w *cluster, c choose) string {
	turn := c(len(webSlices))
	order := slices.Concat(webSlices[turn:], webSlices[:turn])
	slices.Reverse(order)
	for i, name := range order {
		if w.has(name) {
			w.store(name, func(s *discoveryv1.EndpointSlice) {
				put(s, pod(fmt.Sprintf("10.0.0.%d", 5+i), fmt.Sprintf("pod-%d", 5+i)))
			})
		}
	}
	for _, name := range webSlices {
		w.tell(name)
	}
	return "each slice of web gets an endpoint while the watch is down, and the informer lists them again"
}

// deletedUnnoticed deletes a slice after a write that no watch reported.
func deletedUnnoticed(w *cluster, c choose) string {
	name, to := one(c, webSlices), one(c, []string{"api", "web"})
	if w.has(name) {
		w.store(name, func(s *discoveryv1.EndpointSlice) {
			s.Labels[discoveryv1.LabelServiceName] = to
			s.Endpoints = nil
		})
		w.remove(name, true)
	}
	return fmt.Sprintf("slice %s is changed and deleted while the watch is down", name.Name)
}

// replaced deletes a slice and creates another one with the same name. An informer shows this as an
// update.
func replaced(w *cluster, c choose) string {
	name := one(c, webSlices)
	i := (c(len(addresses)) + 2) % len(addresses)
	if w.has(name) {
		w.record(name).stored = nil
		w.write(name, func(s *discoveryv1.EndpointSlice) { put(s, podAt(i)) })
	}
	return fmt.Sprintf("slice %s is deleted and created again with %s while the watch is down", name.Name, addresses[i])
}

func recreated(w *cluster, c choose) string {
	name, i := one(c, webSlices), c(len(addresses))
	w.remove(name, false)
	w.write(name, func(s *discoveryv1.EndpointSlice) { put(s, podAt(i)) })
	return fmt.Sprintf("slice %s is deleted and created with %s", name.Name, addresses[i])
}

func relabelled(w *cluster, c choose) string {
	name, to := one(c, []sliceName{webB, webA, apiA}), one(c, []string{"api", "web", ""})
	whose := "Service " + to
	if to == "" {
		whose = "no Service"
	}
	w.alter(func(s *discoveryv1.EndpointSlice) {
		if delete(s.Labels, discoveryv1.LabelServiceName); to != "" {
			s.Labels[discoveryv1.LabelServiceName] = to
		}
	}, name)
	return fmt.Sprintf("slice %s is of %s now", name.Name, whose)
}

// wordingKinds are changes of slices after which a reader must show the same as before.
var wordingKinds = []kind{
	{"resync", nil, func(w *cluster, _ choose) string {
		for _, name := range allSlices {
			w.resync(name)
		}
		return "the informer resyncs"
	}},
	{"reword", nil, func(w *cluster, c choose) string {
		name := one(c, allSlices)
		w.reword(name, func(s *discoveryv1.EndpointSlice) {
			s.Annotations = map[string]string{"example.com/note": fmt.Sprint(w.versions)}
			slices.Reverse(s.Endpoints)
		})
		return fmt.Sprintf("slice %s gets an annotation, and its endpoints in another order", name.Name)
	}},
	{"leave-out", nil, func(w *cluster, c choose) string {
		name := one(c, webSlices)
		w.reword(name, func(s *discoveryv1.EndpointSlice) {
			for i := range s.Endpoints {
				leaveOut(&s.Endpoints[i].Conditions)
			}
		})
		return fmt.Sprintf("slice %s leaves out conditions that mean the same when nil", name.Name)
	}},
	{"second-address", nil, func(w *cluster, c choose) string {
		name, address := one(c, webSlices), one(c, addresses)
		w.reword(name, func(s *discoveryv1.EndpointSlice) {
			edit(s, address, func(e *discoveryv1.Endpoint) { e.Addresses = []string{address, "10.0.1.1"} })
		})
		return fmt.Sprintf("%s of slice %s gets a second address", address, name.Name)
	}},
	{"spell", []string{"IPv6", "Spelling"}, func(w *cluster, _ choose) string {
		w.write(web7, func(s *discoveryv1.EndpointSlice) {
			s.Endpoints = []discoveryv1.Endpoint{pod("FD00:0::1", "pod-1")}
		})
		return "slice web-7 spells fd00::1 otherwise"
	}},
}

// leaveOut sets a condition to nil if it has the value that nil means. For a ready endpoint it can
// set all three to nil.
func leaveOut(c *discoveryv1.EndpointConditions) {
	for condition, means := range map[**bool]bool{&c.Ready: true, &c.Serving: true, &c.Terminating: false} {
		if *condition != nil && **condition == means {
			*condition = nil
		}
	}
}
