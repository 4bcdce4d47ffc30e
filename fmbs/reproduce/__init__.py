"""The papers' results, run again: fmbs reproduce PAPER."""

from fmbs.reproduce.papers import PAPERS, reproduce

__all__ = ["PAPERS", "reproduce"]
