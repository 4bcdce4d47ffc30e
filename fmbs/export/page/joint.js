// A clearance joint: where its pin is, drawn with the gap k times its size, and the view that looks along its axis.
"use strict";

const MODES = [["free flight", "#5ab4e8"], ["impact", "#d55e00"], ["following contact", "#e69f00"]];
const ROW = 22;  // numbers of a frame: see fmbs/export/joint_views.py

function mixed(joint, frame) {  // the row between two frames; the contact is that of the nearer one
  const rows = joint.rows, count = rows.length / ROW, k = Math.min(Math.floor(frame), count - 1), next = Math.min(k + 1, count - 1), share = frame - k;
  const at = (i) => (1 - share) * rows[ROW * k + i] + share * rows[ROW * next + i], some = (i, n) => Array.from({ length: n }, (_, j) => at(i + j));
  return { place: some(0, 3), axes: [some(3, 3), some(6, 3), some(9, 3)], a: some(12, 3), w: some(15, 3), force: some(18, 3),
           contact: rows[ROW * Math.round(frame) + 21], k: Math.round(frame) };
}

// The pin as it is drawn: the offset times k, the radius smaller by (k - 1) c, so that surfaces that touch are seen to touch.
function drawnPin(joint, gaps, now, magnify) {
  const factor = Math.min(magnify, Math.max(1, gaps.most * joint.radius / joint.clearance)), flat = joint.ball ? 3 : 2;
  const end = (e) => e.map((c, i) => i < flat ? factor * c : c);
  return { factor, radius: joint.radius - factor * joint.clearance, a: end(now.a), w: end(now.w) };
}

function inSpace(now, local) {
  return now.axes.reduce((point, axis, i) => sum(point, scaled(axis, local[i])), now.place);
}

// Looks along the bearing's axis at one end: bush, pin, the way of the pin's centre, force, and the pressure of a film around.
function drawJoint(canvas, joint, gaps, frame, magnify, end) {
  const ratio = window.devicePixelRatio || 1, size = canvas.clientWidth;
  canvas.width = canvas.height = size * ratio;
  const c = canvas.getContext("2d"), now = mixed(joint, frame), pin = drawnPin(joint, gaps, now, magnify);
  c.scale(ratio * size / 2, -ratio * size / 2); c.translate(1, -1);  // x and y from -1 to 1
  const unit = 0.66 / joint.radius, disc = (x, y, r, fill) => { c.beginPath(); c.arc(x, y, r, 0, 2 * Math.PI); c.fillStyle = fill; c.fill(); };
  c.fillStyle = "#fff"; c.fillRect(-1, -1, 2, 2);
  disc(0, 0, 0.66 * gaps.outer, "#c9ccd1"); disc(0, 0, 0.66, "#f4f7fa");
  if (joint.around) {
    c.beginPath();
    for (let i = 0; i <= AROUND; i++) {
      const p = joint.around[AROUND * now.k + i % AROUND], r = 0.66 + 0.3 * p, angle = 2 * Math.PI * i / AROUND;
      c.lineTo(r * Math.cos(angle), r * Math.sin(angle));
    }
    c.arc(0, 0, 0.66, 2 * Math.PI, 0, true); c.fillStyle = "rgba(0, 120, 90, 0.65)"; c.fill();
  }
  const at = (end === 1 ? pin.w : pin.a).map((x) => unit * x);
  disc(at[0], at[1], unit * pin.radius, MODES[now.contact][1]);
  c.lineWidth = 0.006; c.strokeStyle = "rgba(0, 0, 0, 0.55)"; c.beginPath();
  const first = Math.max(0, Math.floor(frame) - joint.trail), offset = end === 1 ? 15 : 12;
  for (let k = first; k <= frame; k++) c.lineTo(unit * pin.factor * joint.rows[ROW * k + offset], unit * pin.factor * joint.rows[ROW * k + offset + 1]);
  c.lineTo(at[0], at[1]); c.stroke();
  c.setLineDash([0.02, 0.02]); c.beginPath(); c.arc(0, 0, unit * pin.factor * joint.clearance, 0, 2 * Math.PI); c.stroke(); c.setLineDash([]);
  disc(at[0], at[1], 0.018, "#000");
  const push = now.axes.slice(0, 2).map((axis) => axis.reduce((s, x, i) => s + x * now.force[i], 0)), strength = Math.hypot(...push);
  if (strength > 1e-4 * joint.force) {  // the root of the force: small ones are seen beside an impact's
    const reach = 0.75 * Math.sqrt(strength / joint.force), x = at[0] + reach * push[0] / strength, y = at[1] + reach * push[1] / strength;
    const angle = Math.atan2(push[1], push[0]);
    c.strokeStyle = c.fillStyle = "#b00020"; c.lineWidth = 0.018; c.beginPath(); c.moveTo(at[0], at[1]); c.lineTo(x, y); c.stroke();
    c.beginPath(); c.moveTo(x + 0.06 * Math.cos(angle), y + 0.06 * Math.sin(angle));
    for (const side of [2.3, -2.3]) c.lineTo(x + 0.05 * Math.cos(angle + side), y + 0.05 * Math.sin(angle + side));
    c.fill();
  }
  return { mode: joint.around && now.contact === 0 ? "on its film" : MODES[now.contact][0], factor: pin.factor, force: length(now.force) };
}
