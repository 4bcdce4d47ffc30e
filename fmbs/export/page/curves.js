// Curves over time with a line at the instant that is shown.
"use strict";

function drawCurve(canvas, curve, t) {
  const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight, c = canvas.getContext("2d");
  canvas.width = width * ratio; canvas.height = height * ratio; c.scale(ratio, ratio);
  const left = 62, right = 8, top = 20, bottom = 20, ts = curve.ts, ys = curve.ys;
  const low = curve.low, high = curve.high > low ? curve.high : low + 1, span = ts[ts.length - 1] - ts[0] || 1;
  const x = (time) => left + (width - left - right) * (time - ts[0]) / span, y = (value) => height - bottom - (height - top - bottom) * (value - low) / (high - low);
  c.fillStyle = "#fff"; c.fillRect(0, 0, width, height);
  c.strokeStyle = "#ccc"; c.strokeRect(left, top, width - left - right, height - top - bottom);
  c.fillStyle = "#333"; c.font = "12px system-ui, sans-serif"; c.fillText(curve.title, left, 13);
  c.textAlign = "right"; c.fillText(high.toPrecision(3), left - 4, top + 9); c.fillText(low.toPrecision(3), left - 4, height - bottom);
  c.fillText(`${ts[ts.length - 1].toPrecision(3)} s`, width - right, height - 5); c.textAlign = "left"; c.fillText(`${ts[0].toPrecision(3)} s`, left, height - 5);
  c.strokeStyle = "#0072b2"; c.lineWidth = 1; c.beginPath();
  for (let i = 0; i < ts.length; i++) c.lineTo(x(ts[i]), y(ys[i]));
  c.stroke();
  c.strokeStyle = "#d55e00"; c.beginPath(); c.moveTo(x(t), top); c.lineTo(x(t), height - bottom); c.stroke();
}

async function unpackCurves(curves) {
  for (const curve of curves) {
    curve.ts = await unpack(curve.t, Float32Array); curve.ys = await unpack(curve.values, Float32Array);
    curve.low = curve.ys.reduce((a, b) => Math.min(a, b), 0); curve.high = curve.ys.reduce((a, b) => Math.max(a, b), -Infinity);
  }
}
