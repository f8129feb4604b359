package dedup

import "github.com/slicewright/slicewright/dedup/internal/persist"

// contest is the claims of several slices to one address and port number, and D2's answer. It never changes: a new version
// costs the logarithm of the number of claims, so that nobody can slow readers down by claiming one address often.
type contest[C claim[C]] struct {
	claims  persist.Tree[C] // in the order of compareClaims: the first of each target wins the first round
	winners persist.Tree[C] // of the first round, in the order of the second
}

// winner must not be asked for in a contest without claims.
func (c contest[C]) winner() C { return c.winners.Least() }

// champion returns the winner of the first round among those with the target of x, and whether there is one.
func (c contest[C]) champion(x C) (C, bool) {
	target := x.target()
	if !target.identifies() {
		var none C
		return none, false
	}
	first, found := c.claims.First(func(y C) bool { return y.target().compareIdentity(target) >= 0 })
	return first, found && first.target().compareIdentity(target) == 0
}

// add returns the contest with one more claim. One that is in it already, because its slice repeats itself, makes no difference.
func (c contest[C]) add(x C) contest[C] {
	champion, found := c.champion(x)
	if y, has := c.claims.First(func(y C) bool { return compareClaims(y, x) >= 0 }); has && compareClaims(y, x) == 0 {
		return c
	}
	c.claims = c.claims.Insert(x, compareClaims)
	if found && compareFirst(champion, x) < 0 {
		return c
	}
	if found {
		c.winners = c.winners.Remove(champion, compareUse)
	}
	c.winners = c.winners.Insert(x, compareUse)
	return c
}

// remove returns the contest without a claim, which must be in it.
func (c contest[C]) remove(x C) contest[C] {
	champion, found := c.champion(x)
	c.claims = c.claims.Remove(x, compareClaims)
	if found && compareFirst(champion, x) != 0 {
		return c
	}
	c.winners = c.winners.Remove(x, compareUse)
	if next, found := c.champion(x); found {
		c.winners = c.winners.Insert(next, compareUse)
	}
	return c
}

// renew returns the contest after a claim's slice became newer or older, and whether everybody wins and loses as before.
func (c contest[C]) renew(before, after C) (contest[C], bool) {
	rest := c.remove(before)
	next := rest.add(after)
	rival, found := rest.champion(after) // the best of the others with this target
	if !found {
		return next, true
	}
	was, is := compareFirst(before, rival), compareFirst(after, rival)
	sameAge := before.compareAge(rival) == 0 || after.compareAge(rival) == 0
	return next, (was < 0) == (is < 0) && !sameAge
}
