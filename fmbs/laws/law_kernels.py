"""How laws are called: by address, with one signature for each of their three kinds.

A law writes what it gives into `out`. Derivatives that it does not write are found by central differences; of two or more
it writes all or none. Slots in C:

    void contact(const double *p, double depth, double rate, double impact_speed, double depth_0, double memory_0, double h,
                 double *out);                          out = F, dF/ddepth, dF/drate, memory, stored energy
    void friction(const double *p, double slip_c, double slip_a, double slip0_c, double slip0_a, double z0_c, double z0_a,
                  double h, double *out);               out = mu_c, mu_a, dmu_c/dslip_c, dmu_c/dslip_a, dmu_a/dslip_c,
                                                              dmu_a/dslip_a, z_c, z_a, and then the further states of
                                                              the law: at the start of the step, to be replaced by those
                                                              at its end (`FrictionLaw.further_states`)
    void film(const double *p, double viscosity, const double *z, double radius, double length, double clearance,
              int64_t slopes, double *out, double *jac);    out = force (2), moment (2), torques (2), see `FilmAction`
                                                            jac[9 i + k] = dout_i/dz_k

A law that remembers has a second kernel, for integrators of high order: what its memory tends to at this very instant.

    void contact_memory(const double *p, double depth, double rate, double impact_speed, double memory, double *out);
                                                        out = memory' while it presses, memory' after it has let go
    void friction_memory(const double *p, double slip_c, double slip_a, double z_c, double z_a, double *out);
                                                        out = z_c', z_a', and then further states, to be replaced by
                                                              their rates
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fmbs.jit.c_functions import NUMBERS
from fmbs.jit.calls import call
from fmbs.jit.compiled import kernel
from fmbs.jit.slots import Slot

Array = NDArray[np.float64]

DIFFERENCE = 6e-6  # cube root of round-off: the best relative step of central differences
STEADY = 1e30  # s, a step after which nothing changes any more

FRICTION_OUT = 8  # numbers that every friction law gives

CONTACT = Slot("contact law", NUMBERS, float, float, float, float, float, float, NUMBERS)
FRICTION = Slot("friction law", NUMBERS, float, float, float, float, float, float, float, NUMBERS)
CONTACT_MEMORY = Slot("memory of a contact law", NUMBERS, float, float, float, float, NUMBERS)
FRICTION_MEMORY = Slot("memory of a friction law", NUMBERS, float, float, float, float, NUMBERS)
FILM = Slot("film law", NUMBERS, float, NUMBERS, float, float, float, int, NUMBERS, NUMBERS)


@kernel(plain=True, part=True)
def ask_contact(
    place: int, p: Array, depth: float, rate: float, impact_speed: float, depth_0: float, memory_0: float, h: float, out: Array
) -> None:
    """What a contact law writes into zeros; NaN marks derivatives that it leaves out."""
    out[0], out[1], out[2], out[3], out[4] = 0.0, math.nan, 0.0, 0.0, 0.0
    call(CONTACT, place, p, depth, rate, impact_speed, depth_0, memory_0, h, out)


@kernel(plain=True)
def contact_load(
    place: int,
    p: Array,
    depth: float,
    rate: float,
    impact_speed: float,
    depth_0: float,
    memory_0: float,
    h: float,
    slopes: bool,
    out: Array,
) -> None:
    """out (5,) = force >= 0, dF/ddepth, dF/drate, memory and stored elastic energy at the end of a step.

    depth, rate: penetration, m, and its rate, m/s, at the end of the step
    impact_speed: normal approach speed at the start of this contact, m/s
    depth_0, memory_0, h: penetration and memory at the beginning of the step, and its length, s
    """
    if depth <= 0.0:
        for k in range(5):
            out[k] = 0.0
        return
    ask_contact(place, p, depth, rate, impact_speed, depth_0, memory_0, h, out)
    if math.isnan(out[1]):
        out[1] = 0.0
        if slopes:
            contact_slopes(place, p, depth, rate, impact_speed, depth_0, memory_0, h, out)
    if out[0] < 0.0:
        out[0], out[1], out[2] = 0.0, 0.0, 0.0


@kernel(plain=True, part=True)
def contact_slopes(
    place: int, p: Array, depth: float, rate: float, impact_speed: float, depth_0: float, memory_0: float, h: float, out: Array
) -> None:
    """out[1], out[2] by differences."""
    force, memory, stored = out[0], out[3], out[4]
    d, v = DIFFERENCE * depth, DIFFERENCE * max(abs(rate), abs(impact_speed), 1e-6)
    slope_d, slope_v = 0.0, 0.0
    for side in (1.0, -1.0):
        ask_contact(place, p, depth + side * d, rate, impact_speed, depth_0, memory_0, h, out)
        slope_d += side * out[0] / (2.0 * d)
        ask_contact(place, p, depth, rate + side * v, impact_speed, depth_0, memory_0, h, out)
        slope_v += side * out[0] / (2.0 * v)
    out[0], out[1], out[2], out[3], out[4] = force, slope_d, slope_v, memory, stored


@kernel(plain=True)
def contact_loads(place: int, p: Array, depth: Array, rate: Array, impact_speed: Array, out: Array) -> None:
    """`contact_load` of many contacts without history  # out (n, 5)."""
    for i in range(depth.size):
        contact_load(place, p, depth[i], rate[i], impact_speed[i], 0.0, 0.0, 0.0, True, out[i])


@kernel(plain=True, part=True)
def ask_friction(
    place: int,
    p: Array,
    slip_c: float,
    slip_a: float,
    slip0_c: float,
    slip0_a: float,
    z0_c: float,
    z0_a: float,
    h: float,
    states: Array,
    out: Array,
) -> None:
    """As `ask_contact`; the law finds its further states at the beginning of the step behind the rest."""
    for k in range(FRICTION_OUT):
        out[k] = 0.0
    for k in range(states.size):
        out[FRICTION_OUT + k] = states[k]
    out[2] = math.nan
    call(FRICTION, place, p, slip_c, slip_a, slip0_c, slip0_a, z0_c, z0_a, h, out)


@kernel(plain=True)
def friction_load(
    place: int,
    p: Array,
    slip_c: float,
    slip_a: float,
    slip0_c: float,
    slip0_a: float,
    z0_c: float,
    z0_a: float,
    h: float,
    slopes: bool,
    states: Array,
    out: Array,
) -> None:
    """out (8 + states,) = mu_c, mu_a, dmu_c/dslip_c, dmu_c/dslip_a, dmu_a/dslip_c, dmu_a/dslip_a, z_c, z_a, states at
    the end of a step.

    mu: the friction force on the slipping body is -N mu
    slip, slip0: relative velocity in the tangent plane at the end and at the beginning of the step, m/s
    z0, h: bristle at the beginning, m, and length of the step, s. h = 0: as things stand.
    states: further ones of the law at the beginning of the step
    """
    ask_friction(place, p, slip_c, slip_a, slip0_c, slip0_a, z0_c, z0_a, h, states, out)
    if math.isnan(out[2]):
        out[2] = 0.0
        if slopes:
            friction_slopes(place, p, slip_c, slip_a, slip0_c, slip0_a, z0_c, z0_a, h, states, out)


@kernel(plain=True, part=True)
def friction_slopes(
    place: int,
    p: Array,
    slip_c: float,
    slip_a: float,
    slip0_c: float,
    slip0_a: float,
    z0_c: float,
    z0_a: float,
    h: float,
    states: Array,
    out: Array,
) -> None:
    """out[2:6] by differences; the last call leaves the rest as it was."""
    v = DIFFERENCE * max(math.hypot(slip_c, slip_a), 1e-6)
    cc, ca, ac, aa = 0.0, 0.0, 0.0, 0.0
    for side in (1.0, -1.0):
        ask_friction(place, p, slip_c + side * v, slip_a, slip0_c, slip0_a, z0_c, z0_a, h, states, out)
        cc, ac = cc + side * out[0] / (2.0 * v), ac + side * out[1] / (2.0 * v)
        ask_friction(place, p, slip_c, slip_a + side * v, slip0_c, slip0_a, z0_c, z0_a, h, states, out)
        ca, aa = ca + side * out[0] / (2.0 * v), aa + side * out[1] / (2.0 * v)
    ask_friction(place, p, slip_c, slip_a, slip0_c, slip0_a, z0_c, z0_a, h, states, out)
    out[2], out[3], out[4], out[5] = cc, ca, ac, aa


@kernel(plain=True)
def contact_after(place: int, p: Array, size: float, out: Array) -> None:
    """What a contact law writes after a step from first touch to a depth and a rate of this size."""
    ask_contact(place, p, size, size, size, 0.0, 0.0, 1e-3, out)


@kernel(plain=True)
def friction_after(place: int, p: Array, size: float, states: Array, out: Array) -> None:
    """What a friction law writes after a step with a slip of this size."""
    ask_friction(place, p, size, size, size, size, 0.0, 0.0, 1e-3, states, out)


@kernel(plain=True)
def friction_coefficients(place: int, p: Array, slip: Array, states: Array, load: Array, out: Array) -> None:
    """Coefficient of steady sliding at many signed slip speeds: the one after a very long step.

    load (8 + states,), out (n,)
    """
    for i in range(slip.size):
        friction_load(place, p, slip[i], 0.0, slip[i], 0.0, 0.0, 0.0, STEADY, False, states, load)
        out[i] = load[0]


@kernel(plain=True, part=True)
def ask_film(
    place: int,
    p: Array,
    viscosity: float,
    z: Array,
    radius: float,
    length: float,
    clearance: float,
    slopes: bool,
    out: Array,
    jac: Array,
) -> None:
    """What a film writes into zeros."""
    for k in range(6):
        out[k] = 0.0
    call(FILM, place, p, viscosity, z, radius, length, clearance, 1 if slopes else 0, out, jac)


@kernel(plain=True)
def film_load(
    place: int,
    p: Array,
    viscosity: float,
    z: Array,
    radius: float,
    length: float,
    clearance: float,
    slopes: bool,
    out: Array,
    jac: Array,
) -> None:
    """out (6,) = force, moment, shear of a film at z (9,), and with slopes their derivatives, jac (6, 9); see `FilmAction`."""
    jac[0, 0] = math.nan
    ask_film(place, p, viscosity, z, radius, length, clearance, slopes, out, jac)
    if slopes and math.isnan(jac[0, 0]):
        film_slopes(place, p, viscosity, z, radius, length, clearance, out, jac)


@kernel(plain=True, part=True)
def film_slopes(
    place: int, p: Array, viscosity: float, z: Array, radius: float, length: float, clearance: float, out: Array, jac: Array
) -> None:
    """jac by differences; the last call leaves `out` as it was."""
    fast = clearance * abs(z[8])
    for k in range(4, 8):
        fast = max(fast, abs(z[k]))
    fast = max(fast, 1e-6 * clearance)
    for k in range(9):
        here, step = z[k], DIFFERENCE * (clearance if k < 4 else fast if k < 8 else fast / clearance)
        z[k] = here + step
        ask_film(place, p, viscosity, z, radius, length, clearance, False, out, jac)
        for i in range(6):
            jac[i, k] = out[i]
        z[k] = here - step
        ask_film(place, p, viscosity, z, radius, length, clearance, False, out, jac)
        for i in range(6):
            jac[i, k] = (jac[i, k] - out[i]) / (2.0 * step)
        z[k] = here
    ask_film(place, p, viscosity, z, radius, length, clearance, False, out, jac)
