"""The papers' results, run again: fmbs reproduce PAPER."""

from fmbs.reproduce.papers import PAPERS, reproduce
from fmbs.reproduce.summary import write_summary

__all__ = ["PAPERS", "reproduce", "write_summary"]
