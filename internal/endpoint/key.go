package endpoint

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"slices"

	discoveryv1 "k8s.io/api/discovery/v1"
)

// Key says which endpoint an endpoint is: two endpoints are one exactly if their Keys are equal. A Key by address has the
// canonical addresses as a set, the hostname, and the targetRef's kind, namespace and name; nil and empty texts are equal. A
// Key by UID has the targetRef's UID alone, and equals no Key by address.
type Key struct {
	ip    uint32 // the only address, if that is IPv4
	form  keyForm
	other string // all other addresses

	hostname, kind, namespace string
	name                      string // of the target, or its UID
}

// keyForm is a set of what tells Keys with equal texts apart.
type keyForm uint8

const (
	byUID     keyForm = 1 << iota
	hasTarget         // the targetRef is not nil
	several           // other is an encoding of several addresses or of none
)

// KeyByAddress returns the Key of an endpoint by address. ip is what OnlyIPv4 says of it.
func KeyByAddress(ip uint32, e *discoveryv1.Endpoint) Key {
	k := Key{ip: ip, hostname: Text(e.Hostname)}
	if ip == 0 {
		k.setAddresses(e.Addresses)
	}
	if ref := e.TargetRef; ref != nil {
		k.form |= hasTarget
		k.kind, k.namespace, k.name = ref.Kind, ref.Namespace, ref.Name
	}
	return k
}

// KeyByUID returns the Key of an endpoint by the UID of its target.
func KeyByUID(e *discoveryv1.Endpoint) Key { return Key{form: byUID, name: UID(e)} }

func (k *Key) setAddresses(addresses []string) {
	if len(addresses) != 1 {
		addresses = AddressSet(addresses)
	}
	if len(addresses) == 1 {
		k.other = Canonical(addresses[0])
		if k.ip, _ = IPv4(k.other); k.ip != 0 {
			k.other = ""
		}
		return
	}
	k.form |= several
	var code []byte
	for _, a := range addresses {
		code = append(binary.AppendUvarint(code, uint64(len(a))), a...)
	}
	k.other = string(code)
}

// AddressSet returns the canonical addresses, sorted, each once.
func AddressSet(addresses []string) []string {
	set := make([]string, len(addresses))
	for i, a := range addresses {
		set[i] = Canonical(a)
	}
	slices.Sort(set)
	return slices.Compact(set)
}

// Hash is the hash of a Key for a Table with the seed. The last mix is for addresses without target: after one only, the
// hashes of numbers at equal distances crowd a few places.
func (k *Key) Hash(seed maphash.Seed) uint64 {
	hash := mix(maphash.String(seed, k.name), uint64(k.ip)<<8|uint64(k.form))
	for _, text := range [...]string{k.namespace, k.kind, k.hostname, k.other} {
		if text != "" {
			hash = mix(hash, maphash.String(seed, text))
		} else {
			hash = bits.RotateLeft64(hash, 1)
		}
	}
	return mix(hash, 0)
}

func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^0x9e3779b97f4a7c15, b^0xd6e8feb86659fd93)
	return hi ^ lo
}
