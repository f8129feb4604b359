package main

import (
	"math/rand"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"github.com/slicewright/slicewright/internal/test/bench"
	"github.com/slicewright/slicewright/internal/test/conformance"
	"github.com/slicewright/slicewright/internal/trace"
)

// A history is a cluster, and a function that changes it until it returns false.
type history struct {
	cluster *conformance.Cluster
	step    func() bool
}

// times takes so many steps.
func times(n int, step func()) func() bool {
	return func() bool {
		if n--; n >= 0 {
			step()
		}
		return n >= 0
	}
}

// rolling is a [rollingWorld] of some steps, with hints or without.
func rolling(pods, steps int, hints bool) func(seed int64) history {
	return func(seed int64) history {
		w := newRollingWorld(seed, pods)
		if !hints {
			w.Service.Annotations = nil
		}
		return history{w.Cluster, times(steps, w.change)}
	}
}

// traced is a trace of examples/churn.
func traced(name string, pods int) func(seed int64) history {
	maker := trace.Makers[slices.IndexFunc(trace.Makers, func(m trace.Maker) bool { return m.Name == name })]
	return func(seed int64) history {
		f := newFleet(seed, 0)
		rounds := maker.Make(pods, seed).Rounds
		play := func() {
			for _, pod := range rounds[0].Ready {
				f.set(pod, true)
			}
			for _, pod := range rounds[0].Unready {
				f.set(pod, false)
			}
			for _, pod := range rounds[0].Gone {
				f.remove(pod)
			}
			rounds = rounds[1:]
			f.publish()
		}
		play()
		return history{f.cluster, times(len(rounds), play)}
	}
}

// churning lets a third of the Pods go, and then replaces Pods by ready ones in a hundred steps, so
// many in each as count draws.
func churning(pods int, count func(*rand.Rand) int) func(seed int64) history {
	return func(seed int64) history {
		f := newFleet(seed, pods*3/2)
		gone := pods / 2
		return history{f.cluster, times(101, func() {
			for range gone {
				f.remove(f.drawn())
			}
			for range pods - len(f.numbers) {
				f.add(true)
			}
			gone = count(f.random)
			f.publish()
		})}
	}
}

// upTo draws a number from 1 to most.
func upTo(most int) func(*rand.Rand) int {
	return func(r *rand.Rand) int { return 1 + r.Intn(most) }
}

// exactly is always the same number.
func exactly(n int) func(*rand.Rand) int { return func(*rand.Rand) int { return n } }

// scaling goes from a tenth of the Pods to all and back, three times, by so many in a step.
func scaling(pods, pace int) func(seed int64) history {
	return func(seed int64) history {
		f := newFleet(seed, pods/10)
		want, turns := pods, 6
		return history{f.cluster, func() bool {
			if len(f.numbers) == want {
				if turns--; turns == 0 {
					return false
				}
				want = pods + pods/10 - want
			}
			for range min(pace, max(want-len(f.numbers), len(f.numbers)-want)) {
				if len(f.numbers) < want {
					f.add(true)
				} else {
					f.remove(f.drawn())
				}
			}
			f.publish()
			return true
		}}
	}
}

// rollout is how a Deployment replaces all its Pods, twice: with how many more than it shall have,
// with how many not available, both in percent, and how many Pods come and go in a step at most.
type rollout struct{ pods, surge, unavailable, pace int }

// play makes the history. A Pod is ready two to six steps after it came, and gone two to four after
// it began to terminate.
func (o rollout) play(seed int64) history {
	f := newFleet(seed, o.pods)
	old := slices.Clone(f.numbers)
	due := map[int][]func(){} // what happens in a step
	now := 0
	rounds := 2
	available := o.pods
	starting := 0
	return history{f.cluster, func() bool {
		if len(old) == 0 && available == o.pods && starting == 0 && len(due) == 0 {
			if rounds--; rounds == 0 {
				return false
			}
			old = slices.Clone(f.numbers)
		}
		now++
		for _, happens := range due[now] {
			happens()
		}
		delete(due, now)
		f.random.Shuffle(len(old), func(i, j int) { old[i], old[j] = old[j], old[i] })
		for range min(o.pace, len(old), available-o.pods+o.pods*o.unavailable/100) {
			pod := old[0]
			old = old[1:]
			f.set(pod, false)
			available--
			at := now + 2 + f.random.Intn(3)
			due[at] = append(due[at], func() { f.remove(pod) })
		}
		missing := o.pods - (available - len(old)) - starting // of the new Pods
		for range min(o.pace, missing, o.pods+(o.pods*o.surge+99)/100-available-starting) {
			pod := f.add(false)
			starting++
			at := now + 2 + f.random.Intn(5)
			due[at] = append(due[at], func() {
				f.set(pod, true)
				starting--
				available++
			})
		}
		f.publish()
		return true
	}}
}

// fleet is a Service's Pods by number.
type fleet struct {
	cluster *conformance.Cluster
	random  *rand.Rand
	numbers []int // in the order in which they came
	pods    map[int]*corev1.Pod
	next    int
}

func newFleet(seed int64, pods int) *fleet {
	f := &fleet{cluster: conformance.NewCluster(0), random: rand.New(rand.NewSource(seed)), pods: map[int]*corev1.Pod{}}
	for i := range 100 {
		node := bench.NewNode("node-"+strconv.Itoa(i), string(rune('a'+i%3)), 8)
		f.cluster.Nodes[node.Name] = node
	}
	for range pods {
		f.add(true)
	}
	f.publish()
	return f
}

// add makes the next Pod.
func (f *fleet) add(ready bool) int {
	number := f.next
	f.set(number, ready)
	return number
}

// set makes a Pod ready or not. It makes the Pod if there is none.
func (f *fleet) set(number int, ready bool) {
	if f.pods[number] == nil {
		f.numbers = append(f.numbers, number)
		f.next = max(f.next, number+1)
	}
	pod := conformance.NewPod(number, "node-"+strconv.Itoa(number*7919%100))
	if !ready {
		pod.Status.Conditions[1].Status = corev1.ConditionFalse
	}
	f.pods[number] = pod
}

func (f *fleet) remove(number int) {
	delete(f.pods, number)
	at := slices.Index(f.numbers, number)
	f.numbers = slices.Delete(f.numbers, at, at+1)
}

// drawn is one of the Pods.
func (f *fleet) drawn() int { return f.numbers[f.random.Intn(len(f.numbers))] }

// publish lets the cluster have the Pods that there are.
func (f *fleet) publish() {
	f.cluster.Pods = make([]*corev1.Pod, len(f.numbers))
	for i, number := range f.numbers {
		f.cluster.Pods[i] = f.pods[number]
	}
}
