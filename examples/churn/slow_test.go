//go:build race

package main

// slow says that everything takes ten times as long.
const slow = true
