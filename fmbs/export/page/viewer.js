// A small WebGL viewer: surfaces that bend (points of every frame) and rigid pieces (a matrix of every frame).
// Data comes from fmbs/export/animation.py as base64 of deflated arrays. Nothing is loaded from anywhere.
"use strict";

async function unpack(text, Kind) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Kind(await new Response(stream).arrayBuffer());
}

const VERTEX = `#version 300 es
in vec3 a; in vec3 b; in float sa; in float sb;
uniform mat4 model, view, projection; uniform vec3 origin, unit; uniform float share;
out vec3 place; out float value;
void main() {
  vec4 p = view * model * vec4(mix(a, b, share) * unit + origin, 1.0);
  place = p.xyz; value = mix(sa, sb, share); gl_Position = projection * p;
}`;

const FRAGMENT = `#version 300 es
precision highp float;
in vec3 place; in float value;
uniform vec4 colour; uniform vec3 table[5];
out vec4 pixel;
vec3 ramp(float x) {
  float y = clamp(x, 0.0, 1.0) * 4.0; int k = int(min(floor(y), 3.0));
  return mix(table[k], table[k + 1], y - float(k));
}
void main() {
  if (colour.a > 1.5) { pixel = vec4(colour.rgb, 1.0); return; }  // lines
  vec3 normal = normalize(cross(dFdx(place), dFdy(place)));
  float light = 0.35 + 0.65 * abs(normal.z);
  pixel = vec4((colour.a > 0.5 ? colour.rgb : ramp(value)) * light, 1.0);
}`;

const RAMPS = {  // viridis; and blue-white-red that colour-blind people tell apart
  one: [0.267, 0.005, 0.329, 0.231, 0.322, 0.545, 0.129, 0.569, 0.549, 0.369, 0.789, 0.383, 0.993, 0.906, 0.144],
  both: [0.020, 0.188, 0.380, 0.404, 0.663, 0.812, 0.93, 0.93, 0.93, 0.937, 0.541, 0.384, 0.404, 0.0, 0.122],
};

async function start(data) {
  const canvas = document.getElementById("scene"), gl = canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true });
  const say = (id, text) => { document.getElementById(id).textContent = text; };
  if (!gl) { say("time", "This browser has no WebGL 2: no animation."); return; }
  const program = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source); gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program); gl.useProgram(program);
  const at = (name) => gl.getAttribLocation(program, name), to = (name) => gl.getUniformLocation(program, name);
  const buffer = (kind, values) => { const b = gl.createBuffer(); gl.bindBuffer(kind, b); gl.bufferData(kind, values, gl.STATIC_DRAW); return b; };

  const frames = data.t.length, n = data.bent.points;
  const positions = await unpack(data.bent.positions, Int16Array);
  for (let i = 3 * n; i < positions.length; i++) positions[i] += positions[i - 3 * n];  // stored as changes from frame to frame
  const bent = { points: buffer(gl.ARRAY_BUFFER, positions), faces: null, count: 0, fields: [] };
  const faces = await unpack(data.bent.triangles, Uint32Array);
  bent.faces = buffer(gl.ELEMENT_ARRAY_BUFFER, faces); bent.count = faces.length;
  for (const field of data.bent.fields) {
    const values = await unpack(field.values, Uint8Array);
    for (let i = n; i < values.length; i++) values[i] += values[i - n];
    bent.fields.push(buffer(gl.ARRAY_BUFFER, values));
  }
  const solid = { points: buffer(gl.ARRAY_BUFFER, await unpack(data.rigid.positions, Float32Array)), matrices: await unpack(data.rigid.matrices, Float32Array) };
  solid.faces = buffer(gl.ELEMENT_ARRAY_BUFFER, await unpack(data.rigid.triangles, Uint32Array));

  const gaps = data.gaps, mesh = ({ points, faces }) => ({
    points: buffer(gl.ARRAY_BUFFER, new Float32Array(points)), faces: buffer(gl.ELEMENT_ARRAY_BUFFER, new Uint32Array(faces)), count: faces.length });
  const shapes = { pin: mesh(SHAPES.pin), ball: mesh(SHAPES.ball), bush: mesh(SHAPES.bush(gaps.outer)), inside: mesh(SHAPES.inside), arrow: mesh(SHAPES.arrow) };
  for (const joint of gaps.joints) {
    joint.rows = await unpack(joint.motion, Float32Array);
    joint.around = joint.pressure && await unpack(joint.pressure, Float32Array);
    joint.trail = Math.ceil(frames / 4);
  }
  await unpackCurves(data.curves);
  const floor = floorLines(data.low, data.high, data.flat), lines = { points: buffer(gl.ARRAY_BUFFER, new Float32Array(floor.points)), count: floor.points.length / 3 };
  const axes = buffer(gl.ARRAY_BUFFER, new Float32Array([0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1]));
  const pressures = gl.createBuffer();

  const IDENTITY = new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
  const state = { frame: 0, playing: false, azimuth: data.flat ? -Math.PI / 2 : -1.0, height: data.flat ? 1.45 : 0.45,
                  distance: 1.1 * data.size, centre: [...data.centre], field: 0, last: 0, ready: false,
                  magnify: gaps.magnify, joint: 0, end: 0, follow: false };

  function camera() {
    const ca = Math.cos(state.azimuth), sa = Math.sin(state.azimuth), ch = Math.cos(state.height), sh = Math.sin(state.height);
    const z = [ch * ca, ch * sa, sh], x = [-sa, ca, 0], y = [-sh * ca, -sh * sa, ch];
    const eye = z.map((component, i) => state.centre[i] + state.distance * component);
    const dot = (u) => -(u[0] * eye[0] + u[1] * eye[1] + u[2] * eye[2]);
    return { x, y, matrix: new Float32Array([x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0, dot(x), dot(y), dot(z), 1]) };
  }

  function attribute(name, b, size, type, normalised, offset) {
    const location = at(name);
    if (location < 0) return;
    gl.bindBuffer(gl.ARRAY_BUFFER, b); gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, size, type, normalised, 0, offset);
  }

  function solidMesh(shape, matrix, colour) {
    for (const name of ["a", "b"]) attribute(name, shape.points, 3, gl.FLOAT, false, 0);
    gl.uniformMatrix4fv(to("model"), false, matrix); gl.uniform4f(to("colour"), ...colour, 1);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, shape.faces); gl.drawElements(gl.TRIANGLES, shape.count, gl.UNSIGNED_INT, 0);
  }

  function drawLines(points, first, count, matrix, colour) {
    for (const name of ["a", "b"]) attribute(name, points, 3, gl.FLOAT, false, 0);
    gl.uniformMatrix4fv(to("model"), false, matrix); gl.uniform4f(to("colour"), ...colour, 2); gl.drawArrays(gl.LINES, first, count);
  }

  function drawGap(joint) {
    const now = mixed(joint, state.frame), pin = drawnPin(joint, gaps, now, state.magnify), [x, y, z] = now.axes, r = joint.radius;
    const bush = placed(scaled(x, r), scaled(y, r), scaled(z, joint.half), now.place), centre = inSpace(now, scaled(sum(pin.a, pin.w), 0.5));
    solidMesh(shapes.bush, bush, [0.72, 0.74, 0.77]);
    if (joint.around) {  // the film's pressure on the inside of the bush
      const values = joint.around.subarray(AROUND * now.k, AROUND * (now.k + 1));
      gl.bindBuffer(gl.ARRAY_BUFFER, pressures); gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([...values, ...values]), gl.DYNAMIC_DRAW);
      for (const name of ["sa", "sb"]) attribute(name, pressures, 1, gl.FLOAT, false, 0);
      for (const name of ["a", "b"]) attribute(name, shapes.inside.points, 3, gl.FLOAT, false, 0);
      gl.uniformMatrix4fv(to("model"), false, bush); gl.uniform4f(to("colour"), 0, 0, 0, 0); gl.uniform3fv(to("table"), RAMPS.one);
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, shapes.inside.faces); gl.drawElements(gl.TRIANGLES, shapes.inside.count, gl.UNSIGNED_INT, 0);
      for (const name of ["sa", "sb"]) if (at(name) >= 0) gl.disableVertexAttribArray(at(name));
    } else solidMesh(shapes.inside, bush, [0.72, 0.74, 0.77]);
    const paint = MODES[now.contact][1].match(/\w\w/g).map((h) => parseInt(h, 16) / 255), R = pin.radius;
    if (joint.ball) solidMesh(shapes.ball, placed(scaled(x, R), scaled(y, R), scaled(z, R), centre), paint);
    else {
      const half = sum(inSpace(now, pin.w), scaled(inSpace(now, pin.a), -1)), tall = length(half) > 1e-9 * r ? scaled(half, 0.5 * gaps.longer) : scaled(z, gaps.longer * joint.half);
      solidMesh(shapes.pin, placed(scaled(x, R), scaled(y, R), tall, centre), paint);
    }
    const strength = length(now.force);
    if (strength > 1e-4 * joint.force) {
      const reach = 0.25 * data.size * Math.sqrt(strength / joint.force), w = scaled(now.force, 1 / strength), [u, v] = across(w);
      solidMesh(shapes.arrow, placed(scaled(u, 0.25 * data.size), scaled(v, 0.25 * data.size), scaled(w, reach), centre), [0.69, 0, 0.13]);
    }
  }

  function draw() {
    const followed = state.follow && gaps.joints[state.joint];
    if (followed) state.centre = mixed(followed, state.frame).place;
    canvas.width = canvas.clientWidth * devicePixelRatio; canvas.height = canvas.clientHeight * devicePixelRatio;
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(1, 1, 1, 1); gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT); gl.enable(gl.DEPTH_TEST);
    const near = 0.01 * state.distance, far = state.distance + 10 * data.size, f = 2.2;
    gl.uniformMatrix4fv(to("projection"), false, new Float32Array([f * canvas.height / canvas.width, 0, 0, 0, 0, f, 0, 0,
      0, 0, (near + far) / (near - far), -1, 0, 0, 2 * near * far / (near - far), 0]));
    gl.uniformMatrix4fv(to("view"), false, camera().matrix);
    const k = Math.min(Math.floor(state.frame), frames - 1), next = Math.min(k + 1, frames - 1), share = state.frame - k;
    if (bent.count) {
      attribute("a", bent.points, 3, gl.SHORT, false, 6 * n * k); attribute("b", bent.points, 3, gl.SHORT, false, 6 * n * next);
      attribute("sa", bent.fields[state.field], 1, gl.UNSIGNED_BYTE, true, n * k);
      attribute("sb", bent.fields[state.field], 1, gl.UNSIGNED_BYTE, true, n * next);
      gl.uniform1f(to("share"), share); gl.uniform3fv(to("origin"), data.bent.origin); gl.uniform3fv(to("unit"), data.bent.unit);
      gl.uniformMatrix4fv(to("model"), false, IDENTITY); gl.uniform4f(to("colour"), 0, 0, 0, 0);
      gl.uniform3fv(to("table"), RAMPS[data.bent.fields[state.field].ramp]);
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, bent.faces); gl.drawElements(gl.TRIANGLES, bent.count, gl.UNSIGNED_INT, 0);
    }
    attribute("a", solid.points, 3, gl.FLOAT, false, 0); attribute("b", solid.points, 3, gl.FLOAT, false, 0);
    for (const name of ["sa", "sb"]) if (at(name) >= 0) gl.disableVertexAttribArray(at(name));
    gl.uniform1f(to("share"), 0); gl.uniform3f(to("origin"), 0, 0, 0); gl.uniform3f(to("unit"), 1, 1, 1);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, solid.faces);
    const pieces = data.rigid.pieces, matrix = new Float32Array(16);
    pieces.forEach((piece, i) => {
      const a = 16 * (k * pieces.length + i), b = 16 * (next * pieces.length + i);
      for (let j = 0; j < 16; j++) matrix[j] = (1 - share) * solid.matrices[a + j] + share * solid.matrices[b + j];
      gl.uniformMatrix4fv(to("model"), false, matrix); gl.uniform4f(to("colour"), ...piece.colour, 1);
      gl.drawElements(gl.TRIANGLES, piece.count, gl.UNSIGNED_INT, 4 * piece.first);
    });
    drawLines(lines.points, 0, lines.count, IDENTITY, [0.86, 0.88, 0.9]);
    const long = 0.12 * data.size, corner = [data.low[0], data.low[1], data.low[2]];
    const frame = placed([long, 0, 0], [0, long, 0], [0, 0, long], corner);
    [[0.84, 0.37, 0], [0, 0.62, 0.45], [0, 0.45, 0.7]].forEach((colour, i) => drawLines(axes, 2 * i, 2, frame, colour));
    for (const joint of gaps.joints) drawGap(joint);
    beside(data.t[k] + share * (data.t[next] - data.t[k]));
    say("time", `${data.clock} = ${(data.t[k] + share * (data.t[next] - data.t[k])).toPrecision(4)}${data.unit}`);
    document.getElementById("scrub").value = state.frame;
  }

  function beside(t) {  // the joint's own view, and the curves
    const joint = gaps.joints[state.joint];
    if (joint) {
      const seen = drawJoint(document.getElementById("gap"), joint, gaps, state.frame, state.magnify, state.end);
      say("mode", `${seen.mode}, force ${seen.force.toPrecision(3)} N`); say("factor", `gap drawn ×${Number(seen.factor.toPrecision(3))}`);
    }
    data.curves.forEach((curve) => { if (curve.canvas) drawCurve(curve.canvas, curve, t); });
  }

  function legend() {
    const field = data.bent.fields[state.field];
    if (!field) { document.getElementById("legend").hidden = true; return; }
    const colours = [];
    for (let i = 0; i < 15; i += 3) colours.push(`rgb(${RAMPS[field.ramp].slice(i, i + 3).map((c) => Math.round(255 * c))})`);
    document.getElementById("bar").style.background = `linear-gradient(to right, ${colours})`;
    say("low", field.low); say("high", field.high);
  }

  function tick(now) {
    if (!state.playing) return;
    const rate = (frames - 1) / 8000 * Number(document.getElementById("speed").value);  // the whole run in 8 s
    state.frame += Math.min(100, now - state.last) * rate; state.last = now;
    if (state.frame > frames - 1) state.frame = 0;
    draw(); requestAnimationFrame(tick);
  }

  const play = document.getElementById("play"), scrub = document.getElementById("scrub"), fields = document.getElementById("field");
  play.onclick = () => {
    state.playing = !state.playing; play.textContent = state.playing ? "❚❚" : "▶"; state.last = performance.now();
    if (state.playing) requestAnimationFrame(tick);
  };
  scrub.max = frames - 1; scrub.oninput = () => { state.frame = Number(scrub.value); draw(); };
  data.bent.fields.forEach((field, i) => fields.add(new Option(field.name, i)));
  fields.hidden = !data.bent.fields.length; fields.onchange = () => { state.field = Number(fields.value); legend(); draw(); };
  canvas.onpointerdown = (e) => canvas.setPointerCapture(e.pointerId);
  canvas.onpointermove = (e) => {
    if (e.buttons & 2 || (e.buttons & 1 && e.shiftKey)) {  // pan
      const { x, y } = camera(), step = state.distance / canvas.clientHeight * 0.9;
      for (let i = 0; i < 3; i++) state.centre[i] += step * (e.movementY * y[i] - e.movementX * x[i]);
    } else if (e.buttons & 1) {
      state.azimuth -= 0.008 * e.movementX;
      state.height = Math.max(-1.57, Math.min(1.57, state.height + 0.008 * e.movementY));
    } else return;
    draw();
  };
  const look = { x: [0, 0], y: [-Math.PI / 2, 0], z: [-Math.PI / 2, 1.5707], "3D": [-1.0, 0.45] }, element = (id) => document.getElementById(id);
  for (const [name, angles] of Object.entries(look)) element(`view-${name}`).onclick = () => { [state.azimuth, state.height] = angles; draw(); };
  element("fit").onclick = () => { state.centre = [...data.centre]; state.distance = 1.1 * data.size; state.follow = element("follow").checked = false; draw(); };
  element("full").onclick = () => (document.fullscreenElement ? document.exitFullscreen() : element("stage").requestFullscreen());
  element("grid").textContent = `grid ${Number(floor.step.toPrecision(3))} m`;
  element("joints").hidden = !gaps.joints.length; element("stage").classList.toggle("alone", !gaps.joints.length);
  if (gaps.joints.length) {
    const which = element("which"), magnify = element("magnify"), most = Math.max(...gaps.joints.map((j) => Math.max(1, gaps.most * j.radius / j.clearance)));
    gaps.joints.forEach((joint, i) => (joint.ends > 1 ? ["end A", "end W"] : [""]).forEach((end, j) => which.add(new Option(`${joint.name} ${end}`, `${i} ${j}`))));
    which.onchange = () => { [state.joint, state.end] = which.value.split(" ").map(Number); draw(); };
    magnify.max = Math.log10(Math.min(1000, most)); magnify.value = Math.log10(state.magnify);
    magnify.oninput = () => { state.magnify = 10 ** Number(magnify.value); draw(); };
    element("follow").onchange = () => {
      state.follow = element("follow").checked;
      state.distance = state.follow ? 6 * gaps.joints[state.joint].radius : 1.1 * data.size;
      if (!state.follow) state.centre = [...data.centre];
      draw();
    };
  }
  data.curves.forEach((curve) => {
    curve.canvas = element("curves").appendChild(document.createElement("canvas"));
    curve.canvas.onclick = (e) => {  // to the instant that is pointed at
      const t = curve.ts[0] + (e.offsetX - 62) / (curve.canvas.clientWidth - 70) * (curve.ts[curve.ts.length - 1] - curve.ts[0]);
      state.frame = Math.max(0, data.t.findIndex((each) => each >= t)); draw();
    };
  });
  canvas.oncontextmenu = () => false;
  canvas.addEventListener("wheel", (e) => { e.preventDefault(); state.distance *= Math.exp(0.001 * e.deltaY); draw(); }, { passive: false });
  window.addEventListener("resize", draw);
  legend(); draw(); state.ready = true;
  window.viewer = state;
}
