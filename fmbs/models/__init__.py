"""Ready-made mechanisms of the papers, one readable file each, on the public API only. Copy one and change it."""

from fmbs.models.slider_crank_planar import SliderCrankPlanar

__all__ = ["SliderCrankPlanar"]
