// Package allocate decides how many endpoints each zone gets, and which slices are written for it. It knows numbers only: a
// zone is an index, and so is a slice. [Nowhere] is a zone without weight, or none.
//
// # What a zone needs
//
// A zone of weight w needs ceil(100*w*n / ((100+T)*total)) of n endpoints, so that none of them carries more than T percent
// above its fair share. [Weights.Minimum] is this number. For zones a, b and c of weights 1, 1 and 2, twelve endpoints and a
// threshold of 20%:
//
//	      homes     minimum            hinted
//	a     ####      ceil(2.5)  = 3     ###        one goes to c
//	b     ####      ceil(2.5)  = 3     ####
//	c     ####      ceil(5.0)  = 5     ####+
//
// # Which slices are opened
//
// A slice that need not be written stays as it is, while the others have endpoints enough to fill every zone up to its minimum:
// while the sum of max(held, minimum) over all zones is at most n. Else [Open] opens slices one after the other, the one that
// helps most first, and then closes those that the later ones made superfluous. Here a holds two endpoints too many; the first
// slice helps by two, each other one by one:
//
//	slice 1   a a b        opened
//	slice 2   a b b
//	slice 3   a c c
//
// That is not always the least. Where two slices would do together and a third one helps more than either, three are opened.
//
// # Who leaves its zone
//
// Every endpoint of the slices that are written starts in its own zone, and one whose zone has no weight nowhere. A zone below
// its low bound imports, one above its high bound exports. With S the surplus above high bounds, D the deficit below low
// bounds and U endpoints nowhere, max(S, D-U, 0) endpoints must leave their zone, and that many suffice.
//
//	 exporters                              importers
//	a ####|##            U nowhere         c ##..|
//	      high --------- ##### ----------->    low
//	b ###|#                                d #...|
//
// [Deal] lets endpoints that are already hinted to an importer stay there, then moves those whose hint is wrong anyway, and
// endpoints with a right hint last. What the bounds leave open is decided one endpoint at a time: the zone whose endpoints carry
// least lends the next one, and the zone whose endpoints carry most takes it. TestDealOneByOne says it in steps.
//
// All of it takes time linear in endpoints, slices and zones, except for sorting, as internal/test/cost counts.
//
// Weights add up to at most 2^40, and there are at most 2^23 endpoints: then every product fits, and all comparisons are exact.
package allocate
