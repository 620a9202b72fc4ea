/**
 * Durations by percentile, a curve for each stage or sum: log µs upwards, and to the right a nine
 * more with every step. A curve ends where fewer than three presses are beyond.
 */

import { svg } from "../../dom.js";
import { drawing, line, narrow, words } from "./drawing.js";
import { mark, valueAt } from "./figures.js";
import { at, decades, logarithmic } from "./scale.js";

/** So few presses make no curve. */
export const fewest = 6;

const percentiles = [
  [0, "0"], [Math.log10(2), "50"], [1, "90"], [2, "99"], [3, "99.9"], [4, "99.99"],
];
const parts = 96;

/** `curves` are `{name, count, buckets}`, of which those with too few presses are left out. */
export function percentileCurves(width, curves, label) {
  const drawn = curves.map((curve, index) => ({ ...curve, kind: `c${index}` }))
    .filter((curve) => curve.count >= fewest)
    .map((curve) => ({ ...curve, points: pointsOf(curve) }));
  const values = drawn.flatMap((curve) => curve.points.map((point) => point.value));
  const marks = decades(Math.min(...values), Math.max(...values));
  const nines = Math.max(1, ...drawn.map((curve) => curve.points.at(-1).nines));
  const frame = layout(width, marks, nines);
  const height = frame.ground + 28 + (frame.isNarrow ? 20 * drawn.length : 0);
  return drawing(width, height, label, [
    ...grid(frame, marks),
    ...drawn.map((curve) => svg("polyline", {
      class: `curve ${curve.kind}`,
      points: curve.points.map(({ nines, value }) =>
        `${at(frame.x(nines))},${at(frame.y(value))}`).join(" "),
    })),
    ...(frame.isNarrow ? legend(frame, drawn) : names(frame, drawn)),
  ]);
}

function layout(width, marks, nines) {
  const isNarrow = width < narrow;
  const [left, right, top, ground] = [58, isNarrow ? 16 : 140, 14, 344];
  const share = logarithmic(marks);
  return {
    width, left, right, top, ground, nines, isNarrow,
    x: (value) => left + (width - left - right) * value / nines,
    y: (value) => ground - (ground - top) * share(value),
  };
}

function pointsOf({ count, buckets }) {
  const most = Math.log10(count / 3);
  return Array.from({ length: parts + 1 }, (_, index) => {
    const nines = most * index / parts;
    return { nines, value: valueAt(buckets, 100 - 100 / 10 ** nines) };
  });
}

function grid(frame, marks) {
  const end = frame.width - frame.right;
  return [
    ...marks.flatMap((value) => [
      line("grid", frame.left, frame.y(value), end, frame.y(value)),
      words("tick", frame.left - 8, frame.y(value) + 4, mark(value), "end"),
    ]),
    ...percentiles.filter(([nines]) => nines <= frame.nines + 1e-9).flatMap(([nines, name]) => [
      line("grid", frame.x(nines), frame.top, frame.x(nines), frame.ground),
      words("tick", frame.x(nines), frame.ground + 18, `${name} %`, "middle"),
    ]),
  ];
}

/** Names at the ends of the curves, moved apart where they would overlap. */
function names(frame, curves) {
  let last = -Infinity;
  const ends = curves.map((curve) => ({ ...curve, end: frame.y(curve.points.at(-1).value) }));
  return ends.sort((one, other) => one.end - other.end).map(({ name, kind, end }) => {
    last = Math.max(last + 15, end + 4);
    return words(`key ${kind}`, frame.width - frame.right + 10, last, name);
  });
}

/** The same below, where there is no room at the ends. */
function legend(frame, curves) {
  return curves.flatMap(({ name, kind }, index) => {
    const y = frame.ground + 44 + 20 * index;
    return [line(`curve ${kind}`, 4, y - 4, 28, y - 4), words(`key ${kind}`, 36, y, name)];
  });
}
