"use strict";
// Paper is narrower than a window.
const PAPER_WIDTH = 690;
const resized = (size) => document.querySelectorAll(".js-plotly-plot").forEach((figure) => Plotly.relayout(figure, size));

addEventListener("beforeprint", () => resized({ width: PAPER_WIDTH }));
addEventListener("afterprint", () => resized({ width: null, autosize: true }));
