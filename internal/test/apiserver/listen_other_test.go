//go:build !linux

package apiserver_test

import "testing"

// listening needs /proc.
func listening(*testing.T, []int) {}
