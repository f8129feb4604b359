package slicer

// Compute plans the writes that make the existing slices hold exactly the wanted endpoints.
func Compute(in Input) (Plan, error) {
	panic("not built yet")
}
