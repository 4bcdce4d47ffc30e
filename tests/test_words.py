"""One word, one thing: no class name is taken twice, and the words of the code are in the glossary."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
CLASS = re.compile(r"^ *class (\w+)", re.MULTILINE)
WORDS = ("part", "batch", "station", "table", "kernel", "slot", "driver", "stretch", "frame", "history", "pace", "beside")


def test_no_class_name_is_taken_twice() -> None:
    homes = defaultdict(list)
    for path in sorted((ROOT / "fmbs").rglob("*.py")):
        for name in CLASS.findall(path.read_text()):
            if not name.startswith("_"):
                homes[name].append(str(path.relative_to(ROOT)))
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}


def test_glossary_has_the_words_of_the_code() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text()
    glossary = page[page.index("## Words") : page.index("## Vectors, not bodies")]
    said = re.findall(r"^\| ([\w ]+) \|", glossary, re.MULTILINE)
    assert len(said) == len(set(said))
    assert set(WORDS) <= set(said)
    named = re.findall(r"`((?:jit|math|assembly|studies)/\w+\.py)`", glossary)
    assert named and all((ROOT / "fmbs" / path).exists() for path in named)
