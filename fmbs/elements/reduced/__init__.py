"""Bodies of any shape by few modes."""

from fmbs.elements.reduced.interface import NodeSet
from fmbs.elements.reduced.reduced_body import ReducedBody

__all__ = ["NodeSet", "ReducedBody"]
