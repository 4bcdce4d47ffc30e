"""VTK's own readers get back the shape functions' geometry, the fields and the times."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fmbs as fm
from fmbs.elements.fields.surfaces import BeamSurface, LineSurface
from fmbs.export.scene import scene
from tests.conftest import require
from tests.export.scenes import planar, swinging

FLOAT = 1e-6  # float32, relative to a model of about 1 m


@pytest.fixture(scope="module")
def sol() -> fm.Solution:
    return swinging().simulate(0.1, step=2e-3, output_step=0.02, initial_velocities="impulse", progress=False)


@pytest.fixture(scope="module")
def flat() -> fm.Solution:
    return planar().simulate(0.1, step=1e-3, output_step=0.02, progress=False)


def read(path: Path) -> Any:
    """By the readers that ParaView uses."""
    require("vtk")
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader

    reader = vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(path))
    reader.Update()
    grid = reader.GetOutput()
    data = grid.GetPointData()
    fields = {data.GetArrayName(k): vtk_to_numpy(data.GetArray(k)) for k in range(data.GetNumberOfArrays())}
    return vtk_to_numpy(grid.GetPoints().GetData()), fields, grid


def collection(path: Path) -> list[tuple[float, str, Path]]:
    import xml.etree.ElementTree as ElementTree

    sets = ElementTree.parse(path).getroot().iter("DataSet")
    return [(float(s.attrib["timestep"]), s.attrib["name"], path.parent / s.attrib["file"]) for s in sets]


def exact_point(beam: fm.Beam, q: np.ndarray, s: float, y: float, z: float) -> np.ndarray:
    """r = sum (a + y b + z c) e, written out once more from the interpolation's own definition."""
    element, shape = beam.shape_at(beam.at(s))
    starts = beam.vector_starts()[element]
    weights = shape.a + y * shape.b + z * shape.c
    return sum(w * q[k : k + 3] for w, k in zip(weights, starts, strict=True))


def test_geometry_equals_shape_functions(sol: fm.Solution, tmp_path: Path) -> None:
    """Sampled points of the files at the slices, corners of the sections included, to float precision."""
    sol.to_vtk(tmp_path / "run.pvd", per_element=3)
    beams = [file for _, name, file in collection(tmp_path / "run.pvd") if name == "beams"]
    for frame in (0, 3, len(sol) - 1):
        points, fields, _ = read(beams[frame])
        at = 0
        for body in sol.system.dofs.bodies[:3]:
            q = sol.q[frame, sol.system.dofs.coordinates_of(body)]
            ring = body.section.outline()
            if isinstance(body.section, fm.Pipe) and body.section.inner:
                ring = np.concatenate([ring, body.section.inner / body.section.outer * ring])
            places = np.linspace(0.0, 1.0, 3 * body.elements + 1)
            exact = np.array([exact_point(body, q, s, y, z) for s in places for y, z in ring])
            part = slice(at, at + len(exact))
            assert np.abs(points[part] - exact).max() < FLOAT
            start = np.array([exact_point(body, body.initial_position(), s, y, z) for s in places for y, z in ring])
            assert np.abs(fields["displacement"][part] - (exact - start)).max() < FLOAT
            at += len(exact)


def test_sections_deform() -> None:
    """A beam whose director r_y is stretched by 10 % is drawn 10 % wider: sections are not copied, they are computed."""
    square, soft = fm.Rectangle(0.1, 0.1), fm.Material(E=1e9, density=1.0)
    beam = fm.Beam("b", start=(0, 0, 0), end=(1, 0, 0), section=square, material=soft, elements=1, interpolation="hermite")
    q = beam.initial_position().reshape(2, 4, 3)
    q[:, 2] *= 1.1
    points = BeamSurface(beam, 2).snapshot(q.ravel(), 0.0 * q.ravel()).points
    assert_allclose(np.ptp(points, axis=0), [1.0, 0.11, 0.1], rtol=1e-12)


def test_times_and_velocities(sol: fm.Solution, tmp_path: Path) -> None:
    """Every frame has its time; velocities agree with the difference of neighbouring instants."""
    sol.to_vtk(tmp_path / "run.pvd")
    times = [t for t, name, _ in collection(tmp_path / "run.pvd") if name == "beams"]
    assert times == sol.t.tolist()
    for layer in scene(sol)[:2]:
        h = 1e-6
        for frame in (2, 4):
            shot = layer.snapshot(frame)
            a, b = (
                scene(fm.Solution(sol.system, sol.t, sol.q + d * sol.v, sol.v, sol.a, sol.lam, sol.energy, sol.statistics))
                for d in (-h, h)
            )
            k = 0 if layer.name == "beams" else 1
            difference = (b[k].snapshot(frame).points - a[k].snapshot(frame).points) / (2.0 * h)
            # velocities of a run satisfy the constraints to the integrator's error only, so a rigid body's v is not quite rigid
            share = 1e-6 if layer.name == "beams" else 1e-5
            assert np.abs(difference - shot.fields["velocity"]).max() < share * np.abs(difference).max()


@pytest.mark.parametrize("body", range(5))
def test_fields_are_those_of_the_sections(sol: fm.Solution, flat: fm.Solution, body: int) -> None:
    """Section forces and the largest von Mises stress against sol.section: three beams, a cable, a planar beam."""
    run, link = (sol, sol.system.dofs.bodies[body]) if body < 4 else (flat, flat.system.dofs.bodies[1])
    item = link.surface(4)
    part = run.system.dofs.coordinates_of(link)
    shot = item.snapshot(run.q[-1, part], run.v[-1, part])
    exact = run.section(link, item.sweep.s)
    rows = slice(None, None, len(item.sweep.ring))
    for name, values in (("section_moment", exact.moment), ("section_force", exact.force), ("curvature", exact.curvature)):
        assert_allclose(shot.fields[name][rows], values[-1], atol=1e-9 * np.abs(values[-1]).max())
    worst = shot.fields["von_mises"].reshape(item.sweep.s.size, -1).max(axis=1)
    if body == 3:  # a cable's corners are not those that its own axes, which roll with the bending, would have
        assert_allclose(worst, exact.von_mises()[-1], rtol=0.05)
    else:
        assert_allclose(worst, exact.von_mises()[-1], rtol=1e-8)


@pytest.mark.parametrize("kind", ["planar", "cable"])
def test_pure_bending_of_a_line(kind: str) -> None:
    """A line bent to a circle of radius R: strain -y/R towards the outside is +h/2R, moment EI/R; 16 elements, cubic."""
    radius, h = 2.0, 0.1
    angle = lambda s: s / radius  # noqa: E731
    section, material = fm.Rectangle(h, h), fm.Material(E=1e9, density=1000.0)
    if kind == "planar":
        line: Any = fm.PlanarBeam("l", start=(0, 0), end=(1, 0), section=section, material=material, elements=16)
    else:
        line = fm.Cable("l", start=(0, 0, 0), end=(1, 0, 0), section=section, material=material, elements=16)
    s = np.linspace(0.0, 1.0, 17)
    r = radius * np.stack([np.sin(angle(s)), 1.0 - np.cos(angle(s)), 0 * s], axis=1)
    slope = np.stack([np.cos(angle(s)), np.sin(angle(s)), 0 * s], axis=1)
    q = np.stack([r, slope], axis=1)[:, :, : line.dimension].ravel()
    shot = LineSurface(line, 4).snapshot(q, 0.0 * q)
    assert shot.fields["axial_strain"].max() == pytest.approx(0.5 * h / radius, rel=1e-3)
    assert shot.fields["axial_strain"].min() == pytest.approx(-0.5 * h / radius, rel=1e-3)
    outside = np.linalg.norm(shot.points[:, :2] - [0.0, radius], axis=1) > radius
    assert (shot.fields["axial_strain"][outside] > 0.0).all()  # the outer fibres are longer
    assert_allclose(shot.fields["section_moment"][:, 2], 1e9 * section.Iz / radius, rtol=2e-3)
    assert np.linalg.norm(shot.points[:, :2] - [0.0, radius], axis=1).max() == pytest.approx(radius + 0.5 * h, rel=1e-6)


def test_planar_model_has_all_layers(flat: fm.Solution, tmp_path: Path) -> None:
    """Rigid points move with their body, joints carry the reactions, the ground stands still."""
    box = fm.shapes.Box(0.04, 0.03, 0.02)
    files = flat.to_vtk(tmp_path / "run.pvd", shapes={"slider": box})
    assert files[0] == tmp_path / "run.pvd" and all(file.exists() for file in files)
    last = {name: file for _, name, file in collection(files[0])}
    assert set(last) == {"beams", "bodies", "joints", "ground"}
    points, fields, _ = read(last["bodies"])
    slider = points[fields["part"] == 2]
    centre = flat.position(flat.model["slider"].com)[-1]
    assert_allclose(np.ptp(slider, axis=0), [0.04, 0.03, 0.02], atol=1e-3)  # the guide keeps it upright
    assert_allclose(slider.mean(axis=0), [*centre, 0.0], atol=FLOAT)
    crank = points[fields["part"] == 0]
    reach = np.linalg.norm(crank, axis=1)
    pin = flat.position(flat.model["crank"].at(0.1, 0))[-1]
    assert np.linalg.norm(crank - [*pin, 0.0], axis=1).min() < 0.01 and reach.max() < 0.12
    places, vectors, _ = read(last["joints"])
    force = flat.reaction("wrist pin").force[-1]
    assert_allclose(vectors["force"][2], [*force, 0.0], rtol=1e-6)
    assert_allclose(vectors["moment"][4], [0, 0, flat.reaction("motor").moment[-1]], rtol=1e-6)
    assert_allclose(places[2], [*centre, 0.0], atol=FLOAT)


def test_film_pressure_integrates_to_the_film_force(tmp_path: Path) -> None:
    """-int p n dA over the cells of the file, midpoint rule, against the film's force: 1 %; and the gap's extremes."""
    m = fm.Model("film", gravity=(0, 0, -9.81))
    shaft = m.add(fm.RigidBody("shaft", mass=2.0, inertia=(1e-3, 1e-3, 1e-3), spin=(0, 200.0, 0)))
    film = fm.film.ShortBearing(viscosity=0.1)
    m.add(
        fm.ClearanceCylindrical(
            m.ground.at(0, 0, 0), shaft.com, axis=(0, 1, 0), bearing_radius=0.01, clearance=1e-4, length=0.01, film=film,
            name="bearing",
        )
    )  # fmt: skip
    run = m.simulate(0.02, tolerance=1e-4, output_step=5e-3, progress=False)
    run.to_vtk(tmp_path / "run.pvd")
    files = [file for _, name, file in collection(tmp_path / "run.pvd") if name == "bearings"]
    record = run.clearance("bearing").film
    assert record is not None
    points, fields, _ = read(files[-1])
    faces = next(layer for layer in scene(run) if layer.name == "bearings").cells.connectivity.reshape(-1, 4)
    x = points[faces]
    area = 0.5 * np.cross(x[:, 2] - x[:, 0], x[:, 3] - x[:, 1])  # outward, its size the cell's
    centre = x.mean(axis=1)
    outward = centre - centre * [0, 1, 0]
    area *= np.sign(np.einsum("ij,ij->i", area, outward))[:, None]
    force = -(fields["pressure"][faces].mean(axis=1)[:, None] * area).sum(axis=0)
    axes = np.array(run.model["bearing"].triad)  # the ground's bearing does not turn
    assert_allclose(axes[:2] @ force, record.force[-1], atol=0.01 * np.linalg.norm(record.force[-1]))
    assert fields["gap"].min() == pytest.approx(record.min_thickness[-1], rel=0.01)


def test_surfaces_are_closed_and_point_outward(sol: fm.Solution) -> None:
    """The volume under the triangles is that of the bodies at t = 0 (Gauss): faces are whole and turned outward."""
    for body in sol.system.dofs.bodies[:4]:
        item = body.surface(2)
        x = item.snapshot(body.initial_position(), 0.0 * body.initial_position()).points
        a, b, c = (x[item.cells.triangles()[:, k]] for k in range(3))
        ring = item.sweep.rings[0]
        area = 0.5 * abs(np.dot(ring[:, 0], np.roll(ring[:, 1], -1)) - np.dot(ring[:, 1], np.roll(ring[:, 0], -1)))
        if len(item.sweep.rings) == 2:
            area *= 1.0 - (body.section.inner / body.section.outer) ** 2
        assert np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0 == pytest.approx(area * body.line.length, rel=1e-9)


SHAPES = [fm.shapes.Box(0.2, 0.3, 0.4), fm.shapes.Sphere(0.3), fm.shapes.Cylinder((0, 0, 0), (1, 0, 0), 0.2)]


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_are_closed(shape: Any) -> None:
    points, cells = shape.mesh(np.array([0.1, 0.2, 0.3]))
    a, b, c = (points[cells.triangles()[:, k]] for k in range(3))
    exact = {"Box": 0.024, "Sphere": 4 / 3 * np.pi * 0.027, "Cylinder": np.pi * 0.04}[type(shape).__name__]
    assert np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0 == pytest.approx(exact, rel=0.08)  # 16 corners to the circle


def test_vtkhdf_has_every_frame(sol: fm.Solution, tmp_path: Path) -> None:
    """VTK's HDF reader: as many steps as frames, their times, and the geometry of each."""
    require("vtk")
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOHDF import vtkHDFReader

    files = sol.to_vtk(tmp_path / "run.vtkhdf")
    assert [file.name for file in files] == ["run_beams.vtkhdf", "run_bodies.vtkhdf", "run_joints.vtkhdf", "run_ground.vtkhdf"]
    for file, layer in zip(files, scene(sol), strict=True):
        reader = vtkHDFReader()
        reader.SetFileName(str(file))
        reader.UpdateInformation()
        assert reader.GetNumberOfSteps() == len(sol)
        for frame in (0, 2, len(sol) - 1):
            reader.SetStep(frame)
            reader.Update()
            assert reader.GetTimeValue() == sol.t[frame]
            grid = reader.GetOutput()
            shot = layer.snapshot(frame)
            assert np.abs(vtk_to_numpy(grid.GetPoints().GetData()) - shot.points).max() < FLOAT
            assert grid.GetNumberOfCells() == len(layer.cells)
            for name, values in shot.fields.items():
                back = vtk_to_numpy(grid.GetPointData().GetArray(name))
                assert_allclose(back, values, rtol=1e-5, atol=1e-6 * max(1.0, float(np.abs(values).max())))


def test_meshio_and_stl(flat: fm.Solution, tmp_path: Path) -> None:
    """One frame out as STL and back in as the shape of a body."""
    meshio = require("meshio")
    path = flat.to_meshio(tmp_path / "frame.vtk", t=0.06)
    mesh = meshio.read(path)
    assert {"displacement", "velocity", "von_mises"} <= set(mesh.point_data)
    stl = flat.to_meshio(tmp_path / "frame.stl", t=0.0)
    files = flat.to_vtk(tmp_path / "run.pvd", shapes={flat.system.dofs.bodies[0]: fm.shapes.STL(stl)})
    points, fields, _ = read(next(file for _, name, file in collection(files[0]) if name == "bodies"))
    body = points[fields["part"] == 0]
    assert_allclose(np.ptp(body, axis=0), np.ptp(meshio.read(stl).points, axis=0), rtol=1e-5)


def test_every_so_many_frames(sol: fm.Solution, tmp_path: Path) -> None:
    sol.to_vtk(tmp_path / "run.pvd", every=2)
    times = [t for t, name, _ in collection(tmp_path / "run.pvd") if name == "beams"]
    assert times == [*sol.t[::2].tolist(), sol.t[-1]]


def test_bad_input(flat: fm.Solution, tmp_path: Path) -> None:
    for path, options, words in (
        (tmp_path / "run.vtx", {}, "must end with .pvd"),
        (tmp_path / "run.pvd", {"shapes": {"sledge": fm.shapes.Sphere(0.1)}}, "sledge.*there are: crank, slider"),
        (tmp_path / "run.pvd", {"every": 0}, "every = 0"),
        (Path("/proc/run.pvd"), {}, "cannot be written"),
    ):
        with pytest.raises(fm.ModelError, match=words):
            flat.to_vtk(path, **options)
    with pytest.raises(fm.ModelError, match="outside the run"):
        flat.to_meshio(tmp_path / "a.vtk", t=3.0)
    with pytest.raises(fm.ModelError, match="cannot be read"):
        flat.to_vtk(tmp_path / "run.pvd", shapes={"crank": fm.shapes.STL(tmp_path / "none.stl")})


def test_frames_of_large_models_are_thinned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """To what fits, in memory as in files, the last one always; what is asked for is there."""
    from fmbs.analysis import motion
    from fmbs.export import files

    m = fm.Model("bar", gravity=(0.0, 0.0, -9.81))
    steel = fm.Material(E=2e8, nu=0.3, density=1000.0)
    m.add(fm.Solid.block("bar", size=(1.0, 0.2, 0.1), divisions=(4, 1, 1), material=steel, kind="tetra10"))
    whole = m.simulate(0.05, step=1e-3)
    monkeypatch.setattr(motion, "FRAMES_SIZE", 20 * whole.q[0].nbytes * 3)
    thin = m.simulate(0.05, step=1e-3)
    assert len(whole) == 51 and 12 <= len(thin) <= 21
    np.testing.assert_allclose(thin.q[-1], whole.q[-1], atol=1e-12)
    assert len(m.simulate(0.05, step=1e-3, output_step=1e-3)) == 51
    monkeypatch.setattr(files, "FRAMES_SIZE", 60_000)
    assert 3 <= len(whole.to_vtk(tmp_path / "thin.pvd")) < 30
    assert len(whole.to_vtk(tmp_path / "all.pvd", every=1)) == 52
