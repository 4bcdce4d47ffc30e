"""A wheel that brings compiled kernels with it is one for this Python and this system."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ShippedKernels(BuildHookInterface[Any]):
    """Takes in fmbs/shipped, which git does not know, where scripts/wheel.sh has made it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "standard" and (Path(self.root) / "fmbs" / "shipped").is_dir():
            build_data.update(pure_python=False, infer_tag=True)
            build_data["artifacts"].append("fmbs/shipped/**")
