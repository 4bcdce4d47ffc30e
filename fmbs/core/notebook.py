"""What a notebook (Jupyter) shows of an object, and whether this process is one."""

from __future__ import annotations

import sys
from html import escape


class ShownAsText:
    """An object whose table of text stands in a notebook as it does in a terminal."""

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def in_notebook() -> bool:
    """Does this process serve a notebook? IPython in a terminal does not count."""
    ipython = sys.modules.get("IPython")  # a notebook has imported it before anything else
    shell = ipython.get_ipython() if ipython else None
    return shell is not None and "IPKernelApp" in shell.config
