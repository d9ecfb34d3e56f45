"""The solver of decisions under constraints: which answers to `select` and `divide` are legal."""
