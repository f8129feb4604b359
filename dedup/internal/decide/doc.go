// Package decide says who wins: where slices disagree about an address and port number, which of them wins,
// and why the others lose. It knows ranks alone, which are integers, and imports no package of ours.
//
// # Two rounds
//
// A claim is what one slice says. Claims with one target are about one object, such as a Pod. In the first round the newest
// claim of each target wins, because the endpoint moved or changed. In the second round the winners of the first, which stand
// for different objects, are compared: an address may be used again, and then the most usable object has it.
//
// The claims are sorted by target, and for each target in the order of the first round. So the first claim of each target is
// the one that goes on to the second round:
//
//	target   age   usability   slice
//	0        3     serving     d       goes on: target 0 stands for itself
//	1        9     ready       b       goes on
//	1        7     ready       a       older slice
//	1        7     not ready   c       older slice
//	2        8     not ready   a       goes on
//
// The second round takes the best of those that go on: d is not ready, a is not ready, b wins.
//
// Claims that are equally new go by the rules of the second round in the first round, too: the most usable claim, then the
// slice that comes first by name, then the fields that come first. Each round is a total order. One rule for all pairs of
// claims, the newer one among equal targets and the more usable one among others, goes round in circles:
//
//	a  target 1, old, ready          beats b: more usable
//	b  target 2, old, serving        beats c: more usable
//	c  target 1, new, terminating    beats a: newer
//
// By the two rounds b wins: the object of a and c moved to c, where it terminates.
package decide
