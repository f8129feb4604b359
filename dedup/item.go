package dedup

// item is one endpoint of a service port: the record that won. It is small, because there is one for every endpoint.
type item struct {
	record   *record
	number   uint16
	disputed bool // several slices claim its place: they are in the port's disputes
}

func (it *item) endpoint() Endpoint { return it.record.endpoint(it.number) }

// compareItems orders by address, then by port number.
func compareItems(a, b *item) int {
	if c := compareHosts(a.record, b.record); c != 0 {
		return c
	}
	return int(a.number) - int(b.number)
}

// dispute is an item that several slices claim, and their claims.
type dispute struct {
	item    item
	contest contest[candidate]
}

func compareDisputes(a, b *dispute) int { return compareItems(&a.item, &b.item) }
