"""`python -m ziggurat`: the command line, where its script is not on the path."""

import sys

from ziggurat.studio.cli import main

sys.exit(main())
