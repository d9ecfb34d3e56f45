"""What holds for all tests."""

import os

from hypothesis import settings

# The same change passes or fails the same way every time it is checked; at home chance looks on.
settings.register_profile("repeatable", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("repeatable")
