//go:build !race

package hints_test

const underRace = false
