"""What all objects share that a user makes: they answer misspelt arguments."""

from __future__ import annotations

from typing import Any, Self

from fmbs.core.spelling import check_names


class Described:
    """Base of bodies, joints, drives, forces, laws, sections, materials and of the model."""

    def __new__(cls, *arguments: Any, **options: Any) -> Self:
        if options:
            name = options.get("name", arguments[0] if arguments else None)
            check_names(f"{cls.__name__} {name!r}" if isinstance(name, str) else cls.__name__, options, cls.__init__)
        return super().__new__(cls)
