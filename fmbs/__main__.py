"""python -m fmbs."""

import sys

from fmbs.cli import main

sys.exit(main())
