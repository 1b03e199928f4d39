// Receives the messages of the viewer, keeps their data, and draws it.

import { Chart, words } from "./chart.js";
import { TireView, colour } from "./tire.js";

const byId = (id) => document.getElementById(id);
const view = new TireView(byId("tire"));
const chart = new Chart(byId("chart"));

let tire = null; // what is known about the run
let told = { state: "connecting" };
let heardAt = performance.now();

const group = (n) => Math.round(n).toString().replace(/\B(?=(\d{3})+$)/g, "\u202f");
const rate = (hertz) => (hertz >= 1e3 ? `${Number((hertz / 1e3).toPrecision(4))} kHz` : `${Number(hertz.toPrecision(4))} Hz`);

// Takes in a message of the viewer; crates/watch/src/message.rs explains its names.
function hear(message) {
  told = message;
  heardAt = performance.now();
  if (message.about) begin(message.about);
  if (!tire) return;
  if (message.places) {
    tire.step = message.step;
    view.show(message.places, message.hub);
  }
  const { period_ns } = tire.about;
  const steps = message.steps ?? [];
  for (let i = 0; i < steps.length; i += 3) {
    const [due, delay, run] = [steps[i] * 1e3, steps[i + 1], steps[i + 2]];
    chart.add(due, delay, run);
    tire.last = run;
    tire.longest = Math.max(tire.longest, run);
    tire.latest = Math.max(tire.latest, delay + run);
  }
  chart.period = period_ns;
  tire.totals = message.totals;
  tire.lost = message.lost;
}

function begin(about) {
  tire = { about, step: 0, last: 0, longest: 0, latest: 0, lost: 0, totals: null };
  chart.clear(about.period_ns);
  view.clear();
  const threads = about.threads === 1 ? "1 thread" : `${about.threads} threads`;
  byId("about").textContent = [
    `${about.model} model`, `${group(about.size)} ${about.unit}`, `${about.solver} solver, ${about.precision}`,
    threads, rate(1e9 / about.period_ns), about.policy,
  ].join("  ·  ");
  byId("hint").textContent = about.model === "balanced"
    ? "The papers’ balanced model is a mechanism: its symmetry alone keeps it upright, so it sinks down and, sooner or later, falls over."
    : "";
}

function state() {
  const gone = (performance.now() - heardAt) / 1e3;
  if (told.state === "connecting") return ["connecting", "waiting"];
  if (gone > 2) return ["the viewer does not answer; trying again", "gone"];
  if (told.state === "waiting") return ["waiting for a tire", "waiting"];
  if (told.state === "ended") return ["the tire has ended", "ended"];
  if (told.silent_ms > 1000) return [`no data for ${Math.floor(told.silent_ms / 1e3)} s`, "silent"];
  if (told.state === "still") return [`no step for ${Math.floor(told.still_ms / 1e3)} s: nothing advances`, "silent"];
  return ["live", "live"];
}

// Returns the rows to show: name, value, and whether the value is bad. Values that are not known have no row.
function numbers() {
  const rows = [];
  if (tire?.totals) {
    const { about, totals } = tire;
    const dropped = totals.frames_due - totals.frames_sent;
    rows.push(
      ["Simulated", `${((tire.step * about.step_ns) / 1e9).toFixed(2)} s`],
      ["Step", `${group(totals.executed)} of ${group(about.periods)}`],
      ["Ran for, last step", words(tire.last)],
      ["Ran for, longest seen", words(tire.longest)],
      ["Ended after due, latest seen", words(tire.latest), tire.latest > about.period_ns],
      ["Period", words(about.period_ns)],
      ["Missed deadlines", group(totals.missed), totals.missed > 0],
      ["of these skipped", group(totals.skipped), totals.skipped > 0],
      ["Frames dropped by the tire", `${group(dropped)} of ${group(totals.frames_due)}`],
    );
    if (totals.untold + tire.lost > 0) rows.push(["Steps not reported", group(totals.untold + tire.lost)]);
  }
  if (told.refused) rows.push(["Datagrams refused", `${group(told.refused)}: ${told.refusal}`, true]);
  if (told.others) rows.push(["Datagrams of other runs", group(told.others)]);
  return rows;
}

function tell() {
  const [text, kind] = state();
  byId("state").textContent = text;
  byId("state").className = kind;
  const lines = numbers().map(([name, value, bad]) => {
    const [line, term, data] = ["div", "dt", "dd"].map((tag) => document.createElement(tag));
    term.textContent = name;
    data.textContent = value;
    data.classList.toggle("bad", Boolean(bad));
    line.append(term, data);
    return line;
  });
  byId("numbers").replaceChildren(...lines);
  byId("strongest").textContent = view.strongest > 0 ? `${Number((view.strongest * 1e3).toPrecision(2))} mN` : "";
}

function drawScale() {
  const canvas = byId("scale");
  const context = canvas.getContext("2d");
  for (let x = 0; x < canvas.width; x++) {
    context.fillStyle = colour(x / canvas.width);
    context.fillRect(x, 0, 1, canvas.height);
  }
}

// Numbers that change faster than every 100 ms cannot be read; a new state is shown at once.
let [toldAt, toldState] = [-Infinity, null];

function draw(now) {
  view.draw(now);
  chart.draw();
  if (now - toldAt > 100 || toldState !== told.state) {
    tell();
    [toldAt, toldState] = [now, told.state];
  }
  requestAnimationFrame(draw);
}

// An EventSource reconnects by itself.
new EventSource("live").onmessage = (event) => hear(JSON.parse(event.data));
drawScale();
requestAnimationFrame(draw);
