"""What mkdocs needs to know of our pages: links to source files are names here, and docstrings keep their lines."""

from __future__ import annotations

import re
from typing import Any

import griffe

SOURCE = re.compile(r"\[([^\]]+)\]\((?:\.\./)+(?:fmbs|benchmarks|tests)[^)]*\)")
ITEM = re.compile(r"^ *[A-Za-z_][\w, `]*: ")  # "t_end: s"


def on_page_markdown(markdown: str, **kwargs: Any) -> str:
    """The site holds no sources: [fmbs/joints](../fmbs/joints) becomes its text."""
    return SOURCE.sub(r"`\1`", markdown).replace("](../docs/", "](")  # benchmarks/README.md is a page here


class Lines(griffe.Extension):
    """Each parameter of a docstring on a line of its own."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        if obj.docstring is not None:
            lines = obj.docstring.value.splitlines()
            following = [*lines[1:], ""]
            obj.docstring.value = "\n".join(
                line + "  " if ITEM.match(after) else line for line, after in zip(lines, following, strict=True)
            )
