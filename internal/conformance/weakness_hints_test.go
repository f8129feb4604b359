package conformance
var hintWeaknesses []weakness
