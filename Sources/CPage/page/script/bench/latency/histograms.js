/** How often a stage took how long: a row for each, all on one axis of log µs. */

import { svg } from "../../dom.js";
import { bar, drawing, line, narrow, words } from "./drawing.js";
import { duration, mark } from "./figures.js";
import { at, decades, logarithmic } from "./scale.js";

const binsOfDecade = 12;
const tall = 26;

/** `rows` are `{name, min, max, p50, buckets}`; the median of each has a mark. */
export function histograms(width, rows, label) {
  const isNarrow = width < narrow;
  const marks = decades(
    Math.min(...rows.map((row) => row.min)), Math.max(...rows.map((row) => row.max)));
  const [left, right] = isNarrow ? [18, 26] : [140, 110];
  const [top, step] = [24, tall + (isNarrow ? 26 : 12)];
  const share = logarithmic(marks);
  const x = (value) => left + (width - left - right) * share(value);
  const height = top + rows.length * step + 6;
  const parts = marks.flatMap((value, index) => [
    line("grid", x(value), top - 6, x(value), height),
    // Every other name where they would touch.
    isNarrow && index % 2 === 1 ? null : words("tick", x(value), 12, mark(value), "middle"),
  ]);
  rows.forEach((row, index) => {
    const ground = top + (index + 1) * step - 6;
    const name = isNarrow ? ground - tall - 4 : ground - 4;
    parts.push(
      isNarrow ? words("name", left, name, row.name)
        : words("name", left - 10, name, row.name, "end"),
      isNarrow ? words("value", width - 4, name, duration(row.p50), "end")
        : words("value", width - right + 10, name, duration(row.p50)),
      line("ground", left, ground, width - right, ground),
      ...columns(row, marks, x, ground),
      svg("path", { class: "median", d: `M${at(x(row.p50))} ${at(ground + 1)} l-4 6 l8 0 z` }));
  });
  return drawing(width, height, label, parts);
}

/** Twelve columns for each power of ten; the tallest of a row is as tall as the row. */
function columns(row, marks, x, ground) {
  const first = Math.log10(marks[0]) * binsOfDecade;
  const last = Math.log10(marks.at(-1)) * binsOfDecade - 1;
  const bins = new Map();
  for (const [upper, count] of row.buckets) {
    const bin = Math.floor(Math.log10(Math.max(upper, marks[0])) * binsOfDecade + 1e-9);
    const index = Math.min(last, Math.max(first, bin));
    bins.set(index, (bins.get(index) ?? 0) + count);
  }
  const most = Math.max(1, ...bins.values());
  return [...bins].map(([index, count]) => {
    const from = x(10 ** (index / binsOfDecade));
    const height = Math.max(2, (tall - 2) * count / most);
    const wide = x(10 ** ((index + 1) / binsOfDecade)) - from - 1;
    return bar("stage", from, ground - height, wide, height);
  });
}
