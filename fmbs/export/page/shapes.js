// Meshes of unit size that the viewer places by matrices: each is { points: [x, y, z, ...], faces: [a, b, c, ...] }.
"use strict";

const AROUND = 48;  // corners of a circle; the pressure of films is given at as many angles

function ring(radius, z) {
  const points = [];
  for (let k = 0; k < AROUND; k++) points.push(radius * Math.cos(2 * Math.PI * k / AROUND), radius * Math.sin(2 * Math.PI * k / AROUND), z);
  return points;
}

function band(a, b) {  // faces between two rings that begin at points a and b
  const faces = [];
  for (let k = 0; k < AROUND; k++) { const n = (k + 1) % AROUND; faces.push(a + k, a + n, b + n, a + k, b + n, b + k); }
  return faces;
}

// From rings (radius, z), each joined to the next: cylinders, bushes, cones and balls are all made like this.
function turned(rings, closed) {
  const points = rings.flatMap(([radius, z]) => ring(radius, z)), faces = [];
  for (let i = 0; i + 1 < rings.length; i++) faces.push(...band(AROUND * i, AROUND * (i + 1)));
  if (closed) faces.push(...band(AROUND * (rings.length - 1), 0));
  return { points, faces };
}

const SHAPES = {
  pin: turned([[0, -1], [1, -1], [1, 1], [0, 1]]),
  ball: turned(Array.from({ length: 17 }, (_, i) => [Math.sin(Math.PI * i / 16), -Math.cos(Math.PI * i / 16)])),
  bush: (outer) => turned([[1, -1], [outer, -1], [outer, 1], [1, 1]]),  // without its inner surface
  inside: turned([[1, -1], [1, 1]]),
  arrow: turned([[0, 0], [0.025, 0], [0.025, 0.8], [0.07, 0.8], [0, 1]]),  // along z, of length 1
};

// Lines of a floor below the motion, in steps of 1, 2 or 5 times a power of ten.
function floorLines(low, high, flat) {
  const size = Math.max(high[0] - low[0], high[1] - low[1], 1e-9), raw = size / 6, power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 5, 10].find((k) => k * power >= raw), height = flat ? low[2] - 0.02 * size : low[2];
  const ends = (i) => [step * Math.floor(low[i] / step - 1), step * Math.ceil(high[i] / step + 1)];
  const [x0, x1] = ends(0), [y0, y1] = ends(1), points = [];
  for (let x = x0; x <= x1 + 0.5 * step; x += step) points.push(x, y0, height, x, y1, height);
  for (let y = y0; y <= y1 + 0.5 * step; y += step) points.push(x0, y, height, x1, y, height);
  return { points, step };
}

// A matrix by columns from three axes and an origin.
function placed(x, y, z, o) { return new Float32Array([...x, 0, ...y, 0, ...z, 0, ...o, 1]); }

const scaled = (u, k) => u.map((c) => k * c), sum = (u, w) => u.map((c, i) => c + w[i]), length = (u) => Math.hypot(...u);

// Two directions across a third.
function across(z) {
  const start = Math.abs(z[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
  const cross = (u, w) => [u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]];
  const x = cross(start, z), u = scaled(x, 1 / length(x));
  return [u, cross(z, u)];
}
