package deduptest

import (
	"fmt"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// lifeKinds are steps in which slices come, go and change hands, noticed or not.
var lifeKinds = []kind{
	{"delete", false, nil, func(c choose) step {
		name := one(c, allSlices)
		return step{text: fmt.Sprintf("slice %s is deleted", name.Name), do: func(w *world) { w.remove(name, false) }}
	}},
	{"delete-twice", false, []string{"DoubledDeletes"}, func(c choose) step {
		name := one(c, allSlices)
		return step{text: fmt.Sprintf("slice %s is deleted, which is reported twice", name.Name), do: func(w *world) {
			w.remove(name, false)
			w.removeAgain(name)
		}}
	}},
	{"delete-unnoticed", false, []string{"LostDeletes"}, deletedUnnoticed},
	{"replace", false, []string{"LostDeletes"}, replaced},
	{"older-version", false, []string{"OlderVersions"}, func(c choose) step {
		name := one(c, allSlices)
		return step{text: fmt.Sprintf("a relist shows slice %s in an older version, and the watch catches up", name.Name), do: func(w *world) {
			w.recall(name)
		}}
	}},
	{"recreate", false, nil, recreated},
	{"relabel", false, []string{"Relabelling"}, relabelled},
}

// deletedUnnoticed deletes a slice after a write of which no watch reported.
func deletedUnnoticed(c choose) step {
	name := one(c, webSlices)
	to := one(c, []string{"api", "web"})
	return step{text: fmt.Sprintf("slice %s is changed and deleted while the watch is down", name.Name), do: func(w *world) {
		if w.has(name) {
			w.store(name, func(s *discoveryv1.EndpointSlice) {
				s.Labels[discoveryv1.LabelServiceName] = to
				s.Endpoints = nil
			})
			w.remove(name, true)
		}
	}}
}

// replaced deletes a slice and creates another one of its name, which an informer shows as an update.
func replaced(c choose) step {
	name := one(c, webSlices)
	i := (c(len(addresses)) + 2) % len(addresses)
	return step{text: fmt.Sprintf("slice %s is deleted and made anew with %s while the watch is down", name.Name, addresses[i]), do: func(w *world) {
		if w.has(name) {
			w.record(name).stored = nil
			w.write(name, func(s *discoveryv1.EndpointSlice) { put(s, podAt(i)) })
		}
	}}
}

func recreated(c choose) step {
	name := one(c, webSlices)
	i := c(len(addresses))
	return step{text: fmt.Sprintf("slice %s is deleted and created with %s", name.Name, addresses[i]), do: func(w *world) {
		w.remove(name, false)
		w.write(name, func(s *discoveryv1.EndpointSlice) { put(s, podAt(i)) })
	}}
}

func relabelled(c choose) step {
	name := one(c, []sliceName{webB, webA, apiA})
	to := one(c, []string{"api", "web", ""})
	whose := "Service " + to
	if to == "" {
		whose = "no Service"
	}
	return step{text: fmt.Sprintf("slice %s is of %s now", name.Name, whose), do: func(w *world) {
		w.alter(func(s *discoveryv1.EndpointSlice) {
			if delete(s.Labels, discoveryv1.LabelServiceName); to != "" {
				s.Labels[discoveryv1.LabelServiceName] = to
			}
		}, name)
	}}
}

// wordingKinds are steps in which nothing changes that a reader shows.
var wordingKinds = []kind{
	{"resync", false, nil, func(choose) step {
		return step{text: "the informer resyncs", do: func(w *world) {
			for _, name := range allSlices {
				w.resync(name)
			}
		}}
	}},
	{"reword", false, nil, func(c choose) step {
		name := one(c, allSlices)
		return step{text: fmt.Sprintf("slice %s gets an annotation, and its endpoints in another order", name.Name), do: func(w *world) {
			w.reword(name, func(s *discoveryv1.EndpointSlice) {
				s.Annotations = map[string]string{"example.com/note": fmt.Sprint(w.versions)}
				slices.Reverse(s.Endpoints)
			})
		}}
	}},
	{"leave-out", false, nil, func(c choose) step {
		name := one(c, webSlices)
		return step{text: fmt.Sprintf("slice %s leaves out conditions that mean the same when nil", name.Name), do: func(w *world) {
			w.reword(name, func(s *discoveryv1.EndpointSlice) {
				for i := range s.Endpoints {
					leaveOut(&s.Endpoints[i].Conditions)
				}
			})
		}}
	}},
	{"second-address", false, nil, func(c choose) step {
		name := one(c, webSlices)
		i := c(len(addresses))
		return step{text: fmt.Sprintf("%s of slice %s gets a second address", addresses[i], name.Name), do: func(w *world) {
			w.reword(name, func(s *discoveryv1.EndpointSlice) {
				if at := find(s, addresses[i]); at >= 0 {
					s.Endpoints[at].Addresses = []string{addresses[i], "10.0.1.1"}
				}
			})
		}}
	}},
	{"spell", false, []string{"IPv6", "Spelling"}, func(choose) step {
		return step{text: "slice web-7 spells fd00::1 otherwise", do: func(w *world) {
			w.write(web7, func(s *discoveryv1.EndpointSlice) { s.Endpoints = []discoveryv1.Endpoint{pod("FD00:0::1", "pod-1")} })
		}}
	}},
}

// leaveOut removes the conditions that nil means. An endpoint that is ready may leave out all three.
func leaveOut(c *discoveryv1.EndpointConditions) {
	for condition, means := range map[**bool]bool{&c.Ready: true, &c.Serving: true, &c.Terminating: false} {
		if *condition != nil && **condition == means {
			*condition = nil
		}
	}
}
