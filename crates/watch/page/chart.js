// Draws a strip chart of the latest steps: their times on a logarithmic scale, the period, and misses in red.

const SECONDS = 10;
const MOST = 3000; // steps on the strip
const LEFT = 92;
const BOTTOM = 20;

export class Chart {
  constructor(canvas) {
    this.canvas = canvas;
    this.clear(1e7);
  }

  clear(period) {
    this.period = period;
    this.steps = [];
  }

  // All times are in nanoseconds; `due` is relative to the due time of the first step.
  add(due, delay, run) {
    const before = this.steps.at(-1);
    const skipped = before ? Math.round((due - before.due) / this.period) - 1 : 0;
    this.steps.push({ due, end: delay + run, run, skipped });
    if (this.steps.length > MOST) this.steps.splice(0, this.steps.length - MOST);
  }

  draw() {
    const style = getComputedStyle(document.documentElement);
    const ink = (name) => style.getPropertyValue(`--${name}`);
    const [context, width, height] = fitted(this.canvas);
    const span = Math.min(SECONDS * 1e9, MOST * this.period);
    const newest = Math.max(span, this.steps.at(-1)?.due ?? 0);
    const [least, most] = this.range();
    const x = (due) => LEFT + ((due - newest + span) / span) * (width - LEFT - 8);
    const y = (ns) => (height - BOTTOM) * (1 - (Math.log10(Math.max(ns, least)) - Math.log10(least)) / (Math.log10(most) - Math.log10(least)));
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    for (let decade = least; decade <= most; decade *= 10) {
      const label = Math.abs(Math.log10(decade / this.period)) < 0.3 ? "" : words(decade);
      line(context, y(decade), LEFT, width, ink("line"), label, ink("soft"));
    }
    for (const step of this.steps) {
      const at = x(step.due);
      if (at < LEFT) continue;
      if (step.end > this.period || step.skipped > 0) {
        const missed = Math.max(2, (width - LEFT) * (step.skipped * this.period) / span);
        context.fillStyle = ink("missed");
        context.globalAlpha = 0.85;
        context.fillRect(at - (step.skipped > 0 ? missed : 1), 0, missed, height - BOTTOM);
        context.globalAlpha = 1;
      }
      context.fillStyle = ink("late");
      context.fillRect(at - 1, y(step.end) - 1, 2, 2);
      context.fillStyle = ink("run");
      context.fillRect(at - 1, y(step.run) - 1, 2, 2);
    }
    line(context, y(this.period), LEFT, width, ink("missed"), `period ${words(this.period)}`, ink("missed"));
    context.textAlign = "right";
    context.fillStyle = ink("soft");
    context.fillText(`${(newest / 1e9).toFixed(1)} s`, width - 8, height - 8);
    context.textAlign = "left";
    context.fillText(`${((newest - span) / 1e9).toFixed(1)} s`, LEFT, height - 8);
  }

  // Returns both ends of the time axis: from the decade of the fastest step to above the slowest step and the period.
  range() {
    const runs = this.steps.map((step) => step.run);
    const fastest = Math.max(100, runs.reduce((a, b) => Math.min(a, b), this.period / 10));
    const slowest = this.steps.reduce((most, step) => Math.max(most, step.end), this.period * 2);
    return [10 ** Math.floor(Math.log10(fastest)), Math.min(slowest * 1.3, this.period * 1e4)];
  }
}

// Returns a time with its unit.
export function words(ns) {
  const [unit, name] = ns < 1e3 ? [1, "ns"] : ns < 1e6 ? [1e3, "µs"] : ns < 1e9 ? [1e6, "ms"] : [1e9, "s"];
  return `${Number((ns / unit).toPrecision(3))} ${name}`;
}

function line(context, y, left, width, colour, label, ink) {
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(left, Math.round(y) + 0.5);
  context.lineTo(width - 8, Math.round(y) + 0.5);
  context.stroke();
  context.textAlign = "right";
  context.fillStyle = ink;
  context.fillText(label, left - 8, y);
}

// Makes a canvas as large as its place on the page and clears it. Returns its context and its size.
export function fitted(canvas) {
  const scale = window.devicePixelRatio || 1;
  const { width, height } = canvas.getBoundingClientRect();
  const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
  if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
  const context = canvas.getContext("2d");
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  return [context, width, height];
}
