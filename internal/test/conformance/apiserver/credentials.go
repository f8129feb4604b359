package apiserver

import (
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"

	"k8s.io/client-go/util/cert"
)

// Users whose tokens a server knows. Admin may do everything; Controller may do nothing but what a
// test lets it.
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

// newCredentials makes a self-signed certificate for loopback, whose key signs service account
// tokens as well, and a token for each user.
func newCredentials(dir string) (*credentials, error) {
	c := &credentials{
		certificate: filepath.Join(dir, "tls.crt"), key: filepath.Join(dir, "tls.key"),
		tokenFile: filepath.Join(dir, "tokens.csv"), tokens: map[string]string{},
	}
	var key []byte
	var err error
	if c.authority, key, err = cert.GenerateSelfSignedCertKey("localhost", []net.IP{net.IPv4(127, 0, 0, 1)},
		nil); err != nil {
		return nil, err
	}
	c.tokens[Admin], c.tokens[Controller] = rand.Text(), rand.Text()
	rows := []string{
		fmt.Sprintf("%s,%s,%s,system:masters", c.tokens[Admin], Admin, Admin),
		fmt.Sprintf("%s,%s,%s", c.tokens[Controller], Controller, Controller),
	}
	for file, text := range map[string][]byte{
		c.certificate: c.authority,
		c.key:         key,
		c.tokenFile:   []byte(strings.Join(rows, "\n") + "\n"),
	} {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return nil, err
		}
	}
	return c, nil
}
