// Package model visits every state of a small world in which the real slicer.Compute plans, the
// real publish.Apply writes, the tracker of publish.Syncer says what comes next, and everything
// else happens in every order: what is wanted changes, a plan is cut off after any write, a cache
// shows one more write, others update, delete and replace slices, answers are lost before and after
// the write was done, writers start again. States differ by all that decides what happens next, and
// none is left out: more states than the limit are a failure. So what it says holds for these
// worlds without a doubt, and says nothing of larger ones.
//
// In each state and for each write it looks at the server alone:
//
//   - A Pod that was published, that the plan wanted and that is wanted now is published after the
//     write, on its port if it was there before (G6 over all plans).
//   - In worlds with "crash" the same for what all plans want whose writes the cache did not show
//     (G12).
//   - A write is refused only on a slice that another client wrote.
//   - When the caches show all and what is wanted stands still, one sync publishes it, no write of
//     it is refused, and the next writes nothing.
//   - No writes go on for ever while what is wanted stands still.
//   - No set waits for ever: where upTo is known, without a live list as long as all answers are.
//
// A breach comes with a shortest way to it, printed as a scenario of testdata/writes, which the
// tests replay. A world is a line of names and numbers: the fields of World.
package model
