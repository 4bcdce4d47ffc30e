"""Ready-made mechanisms of the papers, one readable file each, on the public API only. Copy one and change it."""

from fmbs.models.double_pendulum import DoublePendulum
from fmbs.models.flexible_pendulum import FlexiblePendulum
from fmbs.models.four_bar import FourBar
from fmbs.models.mechanism import Mechanism
from fmbs.models.parameter import Parameter, parameter, parameters
from fmbs.models.press import Press
from fmbs.models.quantity import Quantity
from fmbs.models.slider_crank_lugre import SliderCrankLuGre
from fmbs.models.slider_crank_planar import SliderCrankPlanar
from fmbs.models.slider_crank_spatial import SliderCrankSpatial

MODELS: dict[str, type[Mechanism]] = {
    model.name: model
    for model in (DoublePendulum, SliderCrankSpatial, SliderCrankPlanar, Press, SliderCrankLuGre, FourBar, FlexiblePendulum)
}

__all__ = [
    "MODELS",
    "DoublePendulum",
    "FlexiblePendulum",
    "FourBar",
    "Mechanism",
    "Parameter",
    "Press",
    "Quantity",
    "SliderCrankLuGre",
    "SliderCrankPlanar",
    "SliderCrankSpatial",
    "parameter",
    "parameters",
]
