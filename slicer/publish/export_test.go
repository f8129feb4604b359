package publish

// Remembered is how many sets something is remembered of.
func (s *Syncer) Remembered() int {
	s.memory.Lock()
	defer s.memory.Unlock()
	return len(s.memory.sets)
}
