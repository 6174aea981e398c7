// The passes.
