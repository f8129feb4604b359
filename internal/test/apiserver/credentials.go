package apiserver

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Users whose tokens a server knows. Admin may do everything; Controller may do nothing but what a test lets it.
const (
	Admin      = "admin"
	Controller = "controller"
)

// credentials are the files of one server, and the tokens of its users.
type credentials struct {
	certificate, key string // files
	tokenFile        string
	tokens           map[string]string
	authority        []byte // PEM
}

// newCredentials makes a self-signed certificate for loopback, whose key signs service account tokens as well, and a
// token for each user.
func newCredentials(dir string) (*credentials, error) {
	c := &credentials{
		certificate: filepath.Join(dir, "tls.crt"), key: filepath.Join(dir, "tls.key"),
		tokenFile: filepath.Join(dir, "tokens.csv"), tokens: map[string]string{},
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "loopback"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"localhost"},
		IsCA: true, BasicConstraintsValid: true,
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	c.authority = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	c.tokens[Admin], c.tokens[Controller] = rand.Text(), rand.Text()
	rows := []string{
		fmt.Sprintf("%s,%s,%s,system:masters", c.tokens[Admin], Admin, Admin),
		fmt.Sprintf("%s,%s,%s", c.tokens[Controller], Controller, Controller),
	}
	for file, text := range map[string][]byte{
		c.certificate: c.authority,
		c.key:         pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}),
		c.tokenFile:   []byte(strings.Join(rows, "\n") + "\n"),
	} {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return nil, err
		}
	}
	return c, nil
}
