"""What the project claims about speed and size, measured. `python -m benchmarks` prints it all."""
