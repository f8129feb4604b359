// Package measure is what the modules that measure share.
package measure

// SmallService is the largest number of Pods that counts as small: six of ten Services have no more.
const SmallService = 3

// PodsOfService draws a size as clusters have them: 60% of the Services have 1 to 3 Pods, 30% have 4 to 20, 9% 21 to 200 and 1% 201
// to 2 000. intn draws a number below n.
func PodsOfService(intn func(n int) int) int {
	switch p := intn(100); {
	case p < 60:
		return 1 + intn(SmallService)
	case p < 90:
		return 4 + intn(17)
	case p < 99:
		return 21 + intn(180)
	default:
		return 201 + intn(1800)
	}
}
