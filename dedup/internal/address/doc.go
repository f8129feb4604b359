// Package address has the addresses of endpoints as numbers: it reads them, and sorts them with their ports.
package address
