// Package allocate decides the mode Auto: how many endpoints each zone gets ([Deal]), and which
// slices are rewritten for their hints ([Open]). It works on numbers: a zone is an index, and so is
// a slice. [Nowhere] is a zone without weight, or no zone.
//
// # What a zone needs
//
// A zone of weight w needs ceil(100*w*n / ((100+T)*total)) of n endpoints, so that none of them
// carries more than T percent above its fair share. [Weights.Minimum] is this number. For zones a,
// b and c of weights 1, 1 and 2, twelve endpoints and a threshold of 20%:
//
//	      in zone   minimum            hinted
//	a     ####      ceil(2.5)  = 3     ###        one goes to c
//	b     ####      ceil(2.5)  = 3     ####
//	c     ####      ceil(5.0)  = 5     ####+
//
// # Which endpoints leave their zone
//
// Each endpoint of the slices that are written starts in its own zone. An endpoint whose zone has
// no weight starts nowhere. A zone must get at least its low bound and at most its high bound of
// endpoints ([Bounds]). A zone with fewer endpoints imports, and a zone with more exports. S is
// what all exporters have above their high bounds, D is what all importers need to reach their low
// bounds, and U is the number of endpoints nowhere. Then max(S, D-U, 0) endpoints must leave their
// zone, and that number is enough.
//
//	 exporters                              importers
//	a ####|##            U nowhere         c ##..|
//	      high --------- ##### ----------->    low
//	b ###|#                                d #...|
//
// [Deal] first assigns endpoints to an importer for which they already have a hint, so that this
// hint stays. Then it moves endpoints whose hint must change in any case, and endpoints with a
// right hint last. What the bounds do not decide is decided one endpoint at a time: the next one
// leaves the zone whose endpoints carry least, and comes to the zone whose endpoints carry most.
//
// # Cost
//
// The time is linear except for sorting and for [Open], whose time grows with the square of the
// slices. For weights of at most 2^40 in all and 2^23 endpoints, all comparisons are exact.
package allocate
