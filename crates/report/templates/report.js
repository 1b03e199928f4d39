"use strict";
// Paper is narrower than a window and cannot unfold anything.
const PAPER_WIDTH = 690;
const figures = () => document.querySelectorAll(".js-plotly-plot");
let unfolded = [];

addEventListener("beforeprint", () => {
  unfolded = [...document.querySelectorAll("details:not([open])")];
  unfolded.forEach((details) => { details.open = true; });
  figures().forEach((figure) => Plotly.relayout(figure, { width: PAPER_WIDTH }));
});

addEventListener("afterprint", () => {
  unfolded.forEach((details) => { details.open = false; });
  figures().forEach((figure) => Plotly.relayout(figure, { width: null, autosize: true }));
});
