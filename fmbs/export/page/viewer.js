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

  const IDENTITY = new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
  const state = { frame: 0, playing: false, azimuth: data.flat ? -Math.PI / 2 : -1.0, height: data.flat ? 1.45 : 0.45,
                  distance: 1.1 * data.size, centre: [...data.centre], field: 0, last: 0, ready: false };

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

  function draw() {
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
    say("time", `${data.clock} = ${(data.t[k] + share * (data.t[next] - data.t[k])).toPrecision(4)}${data.unit}`);
    document.getElementById("scrub").value = state.frame;
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
  canvas.oncontextmenu = () => false;
  canvas.addEventListener("wheel", (e) => { e.preventDefault(); state.distance *= Math.exp(0.001 * e.deltaY); draw(); }, { passive: false });
  window.addEventListener("resize", draw);
  legend(); draw(); state.ready = true;
  window.viewer = state;
}
