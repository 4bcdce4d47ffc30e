"""What Chen2020 states about its press, in its order."""

from __future__ import annotations

import itertools

from fmbs.reproduce.claim import ABSENT, Claim, Numbers, verdict

HERE = "test_chen2020.py::test_"
SPEEDS = ("50", "100", "150", "200")
SIZES = ("0.1", "0.2", "0.5", "1")


def _row(n: Numbers, group: str, keys: tuple[str, ...], q: str, scale: float = 1.0, digits: str = ".2f") -> str:
    return ", ".join(f"{scale * n[group][key][q][0]:{digits}}" for key in keys)


def _grows(n: Numbers, group: str, keys: tuple[str, ...], q: str) -> bool:
    values = [n[group][key][q][0] for key in keys]
    return all(a < b for a, b in itertools.pairwise(values))


def _times_ideal(n: Numbers) -> list[float]:
    return [n["speed"][key]["peak"][0] / n["ideal"][key] for key in SPEEDS]


def _peak(n: Numbers, size: str) -> str:
    own, printed = n["size"][size], n["reading"]["eq. 14, R = 100 mm, gravity across"][size]
    return (
        f"{own['peak'][0]:.1f} ± {own['peak'][1]:.1f} a turn with Hertz's K; {printed['peak'][0]:.1f} ± "
        f"{printed['peak'][1]:.1f} with eq. 14 and gravity across, {printed['whole'][0]:.1f} with "
        "the start (see the readings below)"
    )


CLAIMS = (
    Claim(
        where="Sect. 2.3, eq. 13", words="\"the maximum value of δ is 0.01 mm\"",
        got=lambda n: f"{1e3 * n['size']['0.1']['depth'][0]:.3f} mm with Hertz's K, "
                      f"{1e3 * n['reading']['eq. 14, R = 100 mm, no gravity']['0.1']['depth'][0]:.3f} mm with eq. 14 (0.1 mm)",
        verdict=lambda n: verdict(n["size"]["0.1"]["depth"][0] < 1.2e-5), test=HERE + "penetration_is_deeper_than_stated",
    ),
    Claim(
        where="Sect. 4.1, Fig. 6a", words="displacements \"keep a similar path with different driving velocities\"",
        got=lambda n: f"off the ideal path by {_row(n, 'speed', SPEEDS, 'off x', 1e3, '.3f')} mm of a stroke of 50 mm",
        verdict=lambda n: verdict(max(n["speed"][key]["off x"][0] for key in SPEEDS) < 0.01 * 0.05),
        test=HERE + "displacement_keeps_its_path",
    ),
    Claim(
        where="Sect. 4.1, Fig. 6b", words="with the speed \"fluctuation appears in the position curve\"; its value is small",
        got=lambda n: f"largest deviation {_row(n, 'speed', SPEEDS, 'off x', 1e3, '.3f')} mm at 50, 100, 150, 200 rpm",
        verdict=lambda n: verdict(_grows(n, "speed", SPEEDS, "off x")), test=HERE + "fluctuations_grow_with_the_speed",
    ),
    Claim(
        where="Sect. 4.1, Fig. 7a", words="the largest velocity \"increases obviously with the growth of driving velocities\"",
        got=lambda n: f"{_row(n, 'speed', SPEEDS, 'largest v', 1.0, '.3f')} m/s",
        verdict=lambda n: verdict(_grows(n, "speed", SPEEDS, "largest v")),
        test=HERE + "velocity_grows_with_the_speed_and_its_difference_slowly",
    ),
    Claim(
        where="Sect. 4.1, Fig. 7a", words="its difference to ideal joints \"increases slowly\"",
        got=lambda n: f"{_row(n, 'speed', SPEEDS, 'off v', 1e3, '.1f')} mm/s, as speed^{n['by speed']['off v']:.2f}",
        verdict=lambda n: verdict(_grows(n, "speed", SPEEDS, "off v") and n["by speed"]["off v"] < 1.2),
        test=HERE + "velocity_grows_with_the_speed_and_its_difference_slowly",
    ),
    Claim(
        where="Sect. 4.1, Fig. 7b", words="\"a wave shape\" of the velocity: free flight \"at a constant velocity\"",
        got=lambda n: f"wrist pin loose {n['size']['1']['loose'][0]:.0%} of the time (1 mm); acceleration there at most "
                      f"{n['size']['1']['flying a'][0]:.0e} m/s²",
        verdict=lambda n: verdict(n["size"]["1"]["loose"][0] > 0.02 and n["size"]["1"]["flying a"][0] < 1e-2),
        test=HERE + "slider_flies_at_constant_velocity",
    ),
    Claim(
        where="Sect. 4.1, Fig. 8", words="at a lower speed the acceleration \"is not greatly affected by clearance joints\"",
        got=lambda n: "largest / ideal: " + ", ".join(f"{x:.1f}" for x in _times_ideal(n)) + " at 50, 100, 150, 200 rpm: the "
                      "slower, the more",
        verdict=lambda n: verdict(_times_ideal(n)[0] < 1.5, _times_ideal(n)[0] < _times_ideal(n)[-1]),
        test=HERE + "low_speed_is_greatly_affected",
    ),
    Claim(
        where="Sect. 4.1, Fig. 8", words="\"the values of fluctuation increase obviously as ... speed exceeds 100 rpm\"",
        got=lambda n: f"root mean square off the ideal acceleration {_row(n, 'speed', SPEEDS, 'off a')} m/s², as "
                      f"speed^{n['by speed']['off a']:.2f}",
        verdict=lambda n: verdict(_grows(n, "speed", SPEEDS, "off a")),
        test=HERE + "fluctuations_grow_with_the_speed",
    ),
    Claim(
        where="Sect. 4.1", words="speed \"improves the contact velocity and contact-impact force\"",
        got=lambda n: f"largest approach speed {_row(n, 'speed', SPEEDS, 'approach', 1e3, '.1f')} mm/s, largest normal force "
                      f"{_row(n, 'speed', SPEEDS, 'normal', 1e-3, '.0f')} kN",
        verdict=lambda n: verdict(_grows(n, "speed", SPEEDS, "approach") and _grows(n, "speed", SPEEDS, "normal")),
        test=HERE + "fluctuations_grow_with_the_speed",
    ),
    Claim(
        where="Sect. 4.1, Fig. 8", words="results \"agree quite well with experimental data\"",
        got="the test rig is not repeated", verdict=ABSENT, reason="experiments cannot be computed",
    ),
    Claim(
        where="Sect. 4.2, Fig. 9", words="the peak of displacement \"tends to be comparable to ... an ideal joint\"",
        got=lambda n: "largest distance from the middle / ideal: "
                      + ", ".join(f"{n['size'][key]['largest x'][0] / 0.025:.3f}" for key in SIZES),
        verdict=lambda n: verdict(all(abs(n["size"][key]["largest x"][0] / 0.025 - 1.0) < 0.15 for key in SIZES)),
        test=HERE + "fluctuations_grow_with_the_clearance",
    ),
    Claim(
        where="Sect. 4.2, Fig. 9", words="\"a larger clearance size will cause a higher amplitude of fluctuation\"",
        got=lambda n: f"off the ideal path by {_row(n, 'size', SIZES, 'off x', 1e3, '.3f')} mm at 0.1, 0.2, 0.5, 1 mm",
        verdict=lambda n: verdict(_grows(n, "size", SIZES, "off x")), test=HERE + "fluctuations_grow_with_the_clearance",
    ),
    Claim(
        where="Sect. 4.2, Fig. 9", words="clearance \"has a crucial influence on the displacement of slider\"",
        got=lambda n: f"up to {1e3 * n['size']['1']['off x'][0]:.2f} mm off with 1 mm, "
                      f"{n['size']['1']['off x'][0] / 0.05:.1%} of the stroke and more than the two clearances together; "
                      f"{n['size']['0.1']['off x'][0] / 0.05:.1%} with 0.1 mm",
        verdict=lambda n: verdict(n["size"]["0.1"]["off x"][0] > 0.02 * 0.05, n["size"]["1"]["off x"][0] > 0.02 * 0.05),
        test=HERE + "large_clearance_moves_the_slider_off_its_path",
    ),
    Claim(
        where="Sect. 4.2, Fig. 10", words="\"sudden changes of velocity curves\"; \"the bigger ... the higher\"",
        got=lambda n: f"off the ideal velocity by {_row(n, 'size', SIZES, 'off v', 1e3, '.1f')} mm/s; changes by up to "
                      f"{_row(n, 'size', SIZES, 'jerk', 1e3, '.1f')} mm/s within 1/1200 of a turn",
        verdict=lambda n: verdict(_grows(n, "size", SIZES, "off v") and _grows(n, "size", SIZES, "jerk")),
        test=HERE + "fluctuations_grow_with_the_clearance",
    ),
    Claim(
        where="Sect. 4.2, Fig. 11", words="\"the acceleration is more sensitive to the clearance size\"",
        got=lambda n: f"with 0.1 mm the displacement is off by {n['size']['0.1']['off x'][0] / 0.025:.1%} of the largest, "
                      f"the velocity by {n['size']['0.1']['off v'][0] / 0.2618:.1%}, the acceleration's peak by "
                      f"{n['size']['0.1']['peak'][0] / n['ideal']['100'] - 1.0:.0%}",
        verdict=lambda n: verdict(
            n["size"]["0.1"]["peak"][0] / n["ideal"]["100"] - 1.0 > 5.0 * n["size"]["0.1"]["off v"][0] / 0.2618
            and n["size"]["0.1"]["off v"][0] / 0.2618 > n["size"]["0.1"]["off x"][0] / 0.025
        ),
        test=HERE + "acceleration_is_the_most_sensitive",
    ),
    Claim(
        where="Sect. 4.2, Fig. 11", words="0.1 mm: \"the maximum acceleration is only 9.511 m/s²\"",
        got=lambda n: _peak(n, "0.1"),
        verdict=lambda n: verdict(abs(n["size"]["0.1"]["peak"][0] / 9.511 - 1.0) < 0.1),
        test=HERE + "peaks_beside_the_printed_ones",
    ),
    Claim(
        where="Sect. 4.2, Fig. 11", words="1 mm: \"the value rises to 17.47 m/s²\"", got=lambda n: _peak(n, "1"),
        verdict=lambda n: verdict(abs(n["size"]["1"]["peak"][0] / 17.47 - 1.0) < 0.1),
        test=HERE + "peaks_beside_the_printed_ones",
    ),
    Claim(
        where="Sect. 4.2, Fig. 11", words="\"a bigger clearance has a larger vibration\"",
        got=lambda n: f"peaks of a turn {_row(n, 'size', SIZES, 'peak', 1.0, '.1f')} m/s², as c^{n['by size']['peak']:.2f}",
        verdict=lambda n: verdict(_grows(n, "size", SIZES, "peak")), test=HERE + "fluctuations_grow_with_the_clearance",
    ),
    Claim(
        where="Sect. 5", words="the response \"is sensitive to the changes of operation condition\"",
        got=lambda n: f"peaks grow as speed^{n['by speed']['peak']:.2f} and clearance^{n['by size']['peak']:.2f}",
        verdict=lambda n: verdict(n["by speed"]["peak"] > 0.5 and n["by size"]["peak"] > 0.3),
        test=HERE + "fluctuations_grow_with_the_speed",
    ),
)  # fmt: skip
