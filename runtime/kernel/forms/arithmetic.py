"""Numbers: sums and products, signs, ranges; sets are added and taken away with the same signs."""

from ziggurat.runtime.kernel.description import MISTAKEN_OPERATIONS

MISTAKEN_OPERATIONS.update({"+": "-", "-": "+", "union": "minus", "minus": "union"})
