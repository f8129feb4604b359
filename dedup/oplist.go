package dedup

import "slices"

// opList is what happened to records at their spots.
type opList struct {
	spots
	records []*record // spots' indexes are places in it
}

func (l *opList) reset() { l.list, l.records = l.list[:0], emptied(l.records) }

func (l *opList) add(v verb, number uint16, records []*record) {
	l.list = slices.Grow(l.list, len(records))
	for _, r := range records {
		l.list = append(l.list, spot{host: r.host, number: number, verb: v, index: int32(len(l.records))})
		l.records = append(l.records, r)
	}
}

func (l *opList) compareNames(a, b int32) int { return compareHosts(l.records[a], l.records[b]) }
