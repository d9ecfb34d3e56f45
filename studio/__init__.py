"""What people touch: the command line, and everything it shows."""
