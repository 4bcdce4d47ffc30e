"""From a list of parts to frozen arrays with one sparsity pattern."""

from fmbs.assembly.system import System

__all__ = ["System"]
