package dedup

import (
	discoveryv1 "k8s.io/api/discovery/v1"
)

// Merge joins slices, in any order, into the unique endpoints of every service port. The result depends on their
// content only, is what an Index shows after any events that lead to the same slices, and shares nothing with them but
// strings. What cannot be used is set aside, see View.Problems. Of several slices of one name the newest counts. nil
// and empty give an empty View. With an option that this version does not know, nothing is read, and Problems say so.
func Merge(slices []*discoveryv1.EndpointSlice, o Options) View {
	if mistakes := typeMistakes(o.AddressTypes); mistakes != nil {
		return View{root: &root{unnamed: optionProblems(mistakes)}}
	}
	ix := newIndex(o)
	ix.Replace(slices)
	ix.flush(false)
	return ix.View()
}
