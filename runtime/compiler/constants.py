"""What the globals of generated code stand for at a table.

A form that needs a number of the table (a row, a slot, a bit) names a constant; its family says
what that is, from the table and what else the constant's spec says.
"""

from typing import Any

from ziggurat.runtime.kernel.registry import Registry

CONSTANTS = Registry[str, Any]()
constant = CONSTANTS.add
