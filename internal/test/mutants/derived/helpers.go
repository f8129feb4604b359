package derived

import "fmt"

// Variable is the environment variable that says which mutant is active.
const Variable = "SLICEWRIGHT_MUTANT"

// helpersName is the file that the overlay adds to the package.
const helpersName = "mutant_helpers.go"

// helpers is the code that changed expressions call.
func helpers(pkg string) []byte {
	return fmt.Appendf(nil, `package %s

import (
	"cmp"
	"os"
	"strconv"
)

// activeMutant is the number of the active one.
var activeMutant = func() int { n, _ := strconv.Atoi(os.Getenv(%q)); return n }()

type mutantInteger interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

func mutantLess[T cmp.Ordered](id int, a, b T) bool { return a < b || activeMutant == id && a == b }

func mutantLessEqual[T cmp.Ordered](id int, a, b T) bool { return a < b || activeMutant != id && a == b }

func mutantGreater[T cmp.Ordered](id int, a, b T) bool { return a > b || activeMutant == id && a == b }

func mutantGreaterEqual[T cmp.Ordered](id int, a, b T) bool { return a > b || activeMutant != id && a == b }

func mutantAdd[T mutantInteger](id int, a, b T) T {
	if activeMutant == id {
		return a - b
	}
	return a + b
}

func mutantSubtract[T mutantInteger](id int, a, b T) T {
	if activeMutant == id {
		return a + b
	}
	return a - b
}

func mutantMultiply[T mutantInteger](id int, a, b T) T {
	if activeMutant == id {
		return a / b
	}
	return a * b
}

func mutantDivide[T mutantInteger](id int, a, b T) T {
	if activeMutant == id {
		return a * b
	}
	return a / b
}

func mutantAnd[T mutantInteger](id int, a, b T) T {
	if activeMutant == id {
		return a | b
	}
	return a & b
}

func mutantOr[T mutantInteger](id int, a, b T) T {
	if activeMutant == id {
		return a & b
	}
	return a | b
}

func mutantNext[T mutantInteger](id int, v T) T {
	if activeMutant == id {
		return v + 1
	}
	return v
}

func mutantOther[T mutantInteger](id int, v T) T {
	if activeMutant == id {
		return v + 101
	}
	return v
}

func mutantOtherText[T ~string](id int, v T) T {
	if activeMutant == id {
		return v + "\x00"
	}
	return v
}

func mutantKeep[T any](id int, v T) T {
	if activeMutant == id {
		return mutantZero[T]()
	}
	return v
}

func mutantZero[T any]() (zero T) { return zero }
`, pkg, Variable)
}
