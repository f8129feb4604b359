package mirror

import (
	"encoding/binary"

	discoveryv1 "k8s.io/api/discovery/v1"

	"github.com/slicewright/slicewright/internal/endpoint"
)

// mapped is the lower half of ::ffff:0.0.0.0, below which IPv4 addresses are IPv6 ones.
const mapped = 0xffff << 32

// parse reads an IP of any spelling as a number. It is false for what is no IP, and for addresses that the API server
// refuses in Endpoints and slices: unspecified, loopback and link-local ones.
func (c *mention) parse(ip string) (ok bool) {
	if v4, ok := endpoint.IPv4(ip); ok {
		c.low, c.canonical = mapped|uint64(v4), true
		return publishableIPv4(v4)
	}
	addr, ok := endpoint.Addr(ip)
	if !ok || addr.IsUnspecified() || addr.IsLoopback() || addr.IsLinkLocalUnicast() || addr.IsLinkLocalMulticast() {
		return false
	}
	bytes := addr.As16()
	c.high, c.low = binary.BigEndian.Uint64(bytes[:8]), binary.BigEndian.Uint64(bytes[8:])
	return true
}

func publishableIPv4(ip uint32) bool {
	return ip != 0 && ip>>24 != 127 && ip>>16 != 169<<8|254 && ip>>8 != 224<<16
}

func (c *mention) addressType() discoveryv1.AddressType {
	if c.high == 0 && c.low>>32 == 0xffff {
		return discoveryv1.AddressTypeIPv4
	}
	return discoveryv1.AddressTypeIPv6
}
