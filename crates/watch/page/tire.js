// Draws the tire: its ring of masses is the outside of a tread, seen from the front and
// slightly from the right and above.

import { fitted } from "./chart.js";

const HALF_WIDTH = 0.11; // metres, across the tread
const WALL = 0.055; // height of the side wall
const GROOVE = 0.011; // depth of the tread
const RIBS = 5; // blocks across the tread
const LEAST_FORCE = 0.01; // newtons: the smallest end of the scale, about the weight of a mass
const POINTS = 240; // around the ring, at least
const BLOCKS = 40; // around the ring
const YAW = 0.5, PITCH = 0.16, DISTANCE = 4.2;
const LIGHT = unit3([0.35, 0.8, 0.55]);
const COLOURS = [[38, 70, 130], [24, 130, 160], [70, 180, 120], [235, 200, 70], [240, 120, 45], [215, 40, 60]];

// Returns the colour of a share from 0 to 1.
export function colour(share, light = 1) {
  const place = Math.min(Math.max(share, 0), 1) * (COLOURS.length - 1);
  const [a, b] = [COLOURS[Math.floor(place)], COLOURS[Math.ceil(place)]];
  const mixed = a.map((x, i) => Math.min(255, (x + (b[i] - x) * (place % 1)) * light));
  return `rgb(${mixed.map(Math.round)})`;
}

export class TireView {
  constructor(canvas) {
    this.canvas = canvas;
    this.drawn = 0;
    this.clear();
  }

  clear() {
    this.camera = null;
    this.ring = null;
    this.hub = null;
    this.strongest = 0;
  }

  // Takes x, y and force of each mass as the viewer sends them, in 0.1 mm and 0.1 mN.
  show(places, hub) {
    const masses = [];
    for (let i = 0; i < places.length; i += 3) masses.push([places[i] / 1e4, places[i + 1] / 1e4, places[i + 2] / 1e4]);
    this.hub = hub && hub.map((x) => x / 1e4);
    this.masses = masses;
    this.ring = ringOf(masses, this.hub);
    // The scale grows at once and shrinks slowly.
    const strongest = masses.reduce((most, mass) => Math.max(most, mass[2]), 0);
    this.strongest = Math.max(strongest, this.strongest * 0.995, LEAST_FORCE);
  }

  draw(now) {
    const [context, width, height] = fitted(this.canvas);
    const style = getComputedStyle(document.documentElement);
    const ink = (name) => style.getPropertyValue(`--${name}`);
    const project = this.follow(width, height, now);
    drawFloor(context, project, width, height, ink);
    if (!this.ring) return;
    const share = (force) => force / this.strongest;
    drawShadow(context, project, this.ring, ink("shadow"));
    drawWall(context, project, this.ring, -HALF_WIDTH, () => grey(20));
    drawInside(context, project, this.ring);
    drawSpokes(context, project, this.masses, this.hub, (force) => colour(share(force), 1.1));
    drawTread(context, project, this.ring);
    drawWall(context, project, this.ring, HALF_WIDTH, (force) => colour(share(force)));
    outline(context, project, this.ring);
  }

  // Moves the camera smoothly to keep the tire and the floor below it in view. Returns the
  // function that projects a point in space onto the canvas.
  follow(width, height, now) {
    const ring = this.ring ?? [{ p: [0, 1.6] }, { p: [-0.3, 1.3] }, { p: [0.3, 1.3] }];
    const [xs, ys] = [0, 1].map((axis) => ring.map(({ p }) => p[axis]));
    const top = Math.max(0.65, ...ys) + 0.08;
    const wide = Math.max(0.45, ...xs.map(Math.abs)) * 2 + 0.5;
    const wanted = { middle: top / 2 - 0.04, scale: Math.min(height / (top + 0.17), width / wide) };
    const ease = this.camera ? 1 - Math.exp(-(now - this.drawn) / 350) : 1;
    this.camera ??= wanted;
    for (const name of ["middle", "scale"]) this.camera[name] += (wanted[name] - this.camera[name]) * ease;
    this.drawn = now;
    const { middle, scale } = this.camera;
    const [sy, cy, sp, cp] = [Math.sin(YAW), Math.cos(YAW), Math.sin(PITCH), Math.cos(PITCH)];
    return ([x, y, z]) => {
      const [across, deep, up] = [x * cy - z * sy, x * sy + z * cy, y - middle];
      const near = deep * cp + up * sp;
      const size = (scale * DISTANCE) / (DISTANCE - near);
      return [width / 2 + across * size, height / 2 - (up * cp - deep * sp) * size, near];
    };
  }
}

// Returns the ring as a smooth curve through its masses: points with their force, their
// outward direction, and the point further in along the spoke.
function ringOf(masses, hub) {
  const n = masses.length;
  const parts = Math.max(1, Math.ceil(POINTS / n));
  const ring = [];
  for (let i = 0; i < n; i++) {
    const four = [-1, 0, 1, 2].map((k) => masses[(i + k + n) % n]);
    for (let part = 0; part < parts; part++) {
      const t = part / parts;
      const [x, y, force] = [0, 1, 2].map((axis) => curve(four.map((mass) => mass[axis]), t));
      const across = masses[(i + n / 2) % n];
      const goal = hub ?? [0, 1].map((axis) => (masses[i][axis] + across[axis]) / 2);
      ring.push({ p: [x, Math.max(0, y)], force: Math.max(0, force), goal });
    }
  }
  ring.forEach((point, i) => {
    const [a, b] = [ring.at(i - 1), ring[(i + 1) % ring.length]];
    point.out = unit2([b.p[1] - a.p[1], a.p[0] - b.p[0]]);
    const way = [point.goal[0] - point.p[0], point.goal[1] - point.p[1]];
    const length = Math.hypot(...way) || 1;
    const deep = Math.min(WALL, length * 0.3) / length;
    point.inner = [point.p[0] + way[0] * deep, point.p[1] + way[1] * deep];
  });
  return ring;
}

// Catmull-Rom spline: interpolates from the second to the third of four numbers.
function curve([a, b, c, d], t) {
  return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

function segments(ring) {
  return ring.map((a, i) => [a, ring[(i + 1) % ring.length]]);
}

function polygon(context, points, fill) {
  context.beginPath();
  points.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.closePath();
  context.fillStyle = fill;
  context.fill();
  // Covers the hairlines between neighbours.
  context.strokeStyle = fill;
  context.lineWidth = 0.6;
  context.stroke();
}

function drawWall(context, project, ring, z, paint) {
  for (const [a, b] of segments(ring)) {
    const corners = [a.p, b.p, b.inner, a.inner].map((p) => project([...p, z]));
    polygon(context, corners, paint((a.force + b.force) / 2));
  }
}

// Returns whether a polygon of the ring shows its inner side on the canvas: its corners then run clockwise.
function facing([a, b, c]) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0;
}

function drawInside(context, project, ring) {
  for (const [a, b] of segments(ring)) {
    const corners = [[a, -HALF_WIDTH], [b, -HALF_WIDTH], [b, HALF_WIDTH], [a, HALF_WIDTH]]
      .map(([point, z]) => project([...point.inner, z]));
    if (facing(corners)) polygon(context, corners, grey(24 + 26 * lit(a.out.map((x) => -x))));
  }
}

// The tread: a dark base, and blocks that stretch, turn and sink with the ring.
function drawTread(context, project, ring) {
  const faces = [];
  const add = (corners, level) => {
    const flat = corners.map(project);
    const near = flat.reduce((sum, [, , depth]) => sum + depth, 0);
    if (!facing(flat)) faces.push({ flat, level, near });
  };
  const sunk = (point) => point.p.map((x, axis) => (axis ? Math.max(0, x - point.out[1] * GROOVE) : x - point.out[0] * GROOVE));
  for (const [a, b] of segments(ring)) {
    const [low, high] = [sunk(a), sunk(b)];
    add([[...low, -HALF_WIDTH], [...high, -HALF_WIDTH], [...high, HALF_WIDTH], [...low, HALF_WIDTH]], 16 + 18 * lit(a.out));
  }
  const pitch = ring.length / BLOCKS;
  const rib = (2 * HALF_WIDTH) / RIBS;
  for (let block = 0; block < BLOCKS; block++) {
    for (let row = 0; row < RIBS; row++) {
      const from = Math.round((block + (row % 2) / 2) * pitch);
      const to = from + Math.max(1, Math.round(pitch * 0.74));
      const [left, right] = [-HALF_WIDTH + rib * (row + 0.1), -HALF_WIDTH + rib * (row + 0.9)];
      for (let i = from; i < to; i++) {
        const [a, b] = [ring[i % ring.length], ring[(i + 1) % ring.length]];
        add([[...a.p, left], [...b.p, left], [...b.p, right], [...a.p, right]], 44 + 62 * lit(a.out));
      }
    }
  }
  faces.sort((a, b) => a.near - b.near);
  for (const { flat, level } of faces) polygon(context, flat, grey(level));
}

function drawSpokes(context, project, masses, hub, paint) {
  const n = masses.length;
  const every = Math.max(1, Math.floor(n / 40));
  context.lineWidth = 1;
  for (let i = 0; i < (hub ? n : n / 2); i += every) {
    const ends = [masses[i], hub ?? masses[i + n / 2]];
    const [a, b] = ends.map(([x, y]) => project([x, y, 0]));
    const shade = context.createLinearGradient(a[0], a[1], b[0], b[1]);
    shade.addColorStop(0, paint(masses[i][2]));
    shade.addColorStop(1, paint(hub ? 0 : ends[1][2]));
    context.strokeStyle = shade;
    context.globalAlpha = 0.75;
    context.beginPath();
    context.moveTo(a[0], a[1]);
    context.lineTo(b[0], b[1]);
    context.stroke();
  }
  context.globalAlpha = 1;
  if (hub) {
    const [x, y] = project([...hub, 0]);
    context.beginPath();
    context.arc(x, y, 6, 0, 2 * Math.PI);
    context.fillStyle = grey(170);
    context.fill();
  }
}

// An endless floor: its lines fade with the distance from the middle.
function drawFloor(context, project, width, height, ink) {
  const shade = context.createLinearGradient(0, 0, 0, height);
  shade.addColorStop(0, ink("sky"));
  shade.addColorStop(1, ink("ground"));
  context.fillStyle = shade;
  context.fillRect(0, 0, width, height);
  context.strokeStyle = ink("grid");
  context.lineWidth = 1;
  const MESH = 0.2, COUNT = 9;
  const stroke = (...ends) => {
    const far = Math.hypot(ends[0][0] + ends[1][0], ends[0][2] + ends[1][2]) / 2;
    context.globalAlpha = Math.max(0, 1 - far / (MESH * COUNT));
    const [a, b] = ends.map(project);
    context.beginPath();
    context.moveTo(a[0], a[1]);
    context.lineTo(b[0], b[1]);
    context.stroke();
  };
  for (let i = -COUNT; i <= COUNT; i++) {
    for (let k = -COUNT; k < COUNT; k++) {
      stroke([i * MESH, 0, k * MESH], [i * MESH, 0, (k + 1) * MESH]);
      stroke([k * MESH, 0, i * MESH], [(k + 1) * MESH, 0, i * MESH]);
    }
  }
  context.globalAlpha = 1;
}

// The shadow of the tire under a light above: the lower the tire, the darker the shadow.
function drawShadow(context, project, ring, ink) {
  const xs = ring.map(({ p }) => p[0]);
  const low = Math.min(...ring.map(({ p }) => p[1]));
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  for (let soft = 8; soft >= 0; soft--) {
    const edge = (soft - 3) * 0.018 * (1 + low);
    const [long, wide] = [(right - left) / 2 + edge, HALF_WIDTH * 1.1 + edge];
    const round = (x) => Math.sign(x) * Math.abs(x) ** 0.45;
    context.beginPath();
    for (let turn = 0; turn < 2 * Math.PI; turn += 0.1) {
      const corner = [(left + right) / 2 + long * round(Math.cos(turn)), 0, wide * round(Math.sin(turn))];
      const [x, y] = project(corner);
      if (turn) context.lineTo(x, y);
      else context.moveTo(x, y);
    }
    context.fillStyle = `rgba(${ink}, ${0.075 / (1 + 2.5 * low)})`;
    context.fill();
  }
}

function outline(context, project, ring) {
  context.strokeStyle = "rgba(0, 0, 0, 0.55)";
  context.lineWidth = 1.2;
  for (const edge of ["p", "inner"]) {
    context.beginPath();
    ring.forEach((point, i) => {
      const [x, y] = project([...point[edge], HALF_WIDTH]);
      if (i) context.lineTo(x, y);
      else context.moveTo(x, y);
    });
    context.closePath();
    context.stroke();
  }
}

function lit([x, y]) {
  return Math.max(0.12, x * LIGHT[0] + y * LIGHT[1] + 0.25);
}

function grey(level) {
  const [r, g, b] = [0.97, 1, 1.05].map((tint) => Math.round(Math.min(255, level * tint)));
  return `rgb(${r}, ${g}, ${b})`;
}

function unit2([x, y]) {
  const length = Math.hypot(x, y) || 1;
  return [x / length, y / length];
}

function unit3([x, y, z]) {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}
