package forecast

import "fmt"

// Overload is the difference between a load and the mean, in hundredths of a percent, rounded up:
// 3334 for a third more, 0 for the mean.
type Overload int64

// String returns the percentage with its sign and two digits, such as +33.34%, and 0% for the mean.
func (o Overload) String() string {
	if o == 0 {
		return "0%"
	}
	sign, size := '+', uint64(o)
	if o < 0 {
		sign, size = '-', -size
	}
	return fmt.Sprintf("%c%d.%02d%%", sign, size/100, size%100)
}
