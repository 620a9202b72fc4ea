/**
 * The stages of a press one after the other, from the moment the keychain has stored it: bars to
 * scale, thin lines on to p99. The keychain's debounce takes a hundred times as long as all the
 * rest, so it has a row of its own that is not to scale.
 */

import { svg } from "../../dom.js";
import { t } from "../../texts.js";
import { bar, drawing, line, narrow, words } from "./drawing.js";
import { duration, mark } from "./figures.js";
import { at, steps } from "./scale.js";

const thickness = 14;

/**
 * `rows` are `{name, value, tail, isUnscaled, clock}` in order; `value` null: not seen, `tail`
 * null: none. `clock` is there where the figure is refused: what the clocks leave open, in words.
 */
export function waterfall(width, rows, label) {
  const frame = layout(width, rows);
  const height = frame.top + rows.length * frame.row + 4;
  const parts = axis(frame, height);
  let start = 0;
  rows.forEach((row, index) => {
    const y = frame.top + index * frame.row;
    parts.push(...heading(frame, row, y));
    if (row.value === null) return;
    if (row.isUnscaled) {
      parts.push(...unscaled(frame, y + frame.drop));
    } else {
      parts.push(...scaled(frame, row, start, y + frame.drop));
      start += Math.max(0, row.value);
    }
  });
  return drawing(width, height, label, parts);
}

function layout(width, rows) {
  const isNarrow = width < narrow;
  const [left, right] = isNarrow ? [4, 26] : [110, 250];
  const span = spanOf(rows);
  return {
    width, left, right, span, isNarrow,
    top: 34, row: isNarrow ? 44 : 34, drop: isNarrow ? 18 : 0,
    x: (value) => left + (width - left - right) * Math.min(1, Math.max(0, value / span)),
  };
}

/** µs from the left edge to the right one: all bars, and tails up to as much again. */
function spanOf(rows) {
  const scaledRows = rows.filter((row) => !row.isUnscaled && row.value !== null);
  const whole = Math.max(1, scaledRows.reduce((sum, row) => sum + Math.max(0, row.value), 0));
  let start = 0;
  let end = whole;
  for (const row of scaledRows) {
    end = Math.max(end, start + (row.tail ?? 0));
    start += Math.max(0, row.value);
  }
  return Math.min(end, 1.6 * whole) * 1.02;
}

function axis(frame, height) {
  return steps(frame.span, frame.isNarrow ? 3 : 6).flatMap((tick) => {
    const x = frame.x(tick);
    const text = tick === 0 ? t("latency.stored") : mark(tick);
    return [
      line("grid", x, 22, x, height),
      words("tick", x, 14, text, tick === 0 && frame.isNarrow ? "start" : "middle"),
    ];
  });
}

function heading(frame, row, y) {
  const said = row.value === null ? t("latency.notSeen")
    : row.clock ? t("latency.refusedOf", { duration: duration(row.value), clock: row.clock })
    : row.isUnscaled ? t("latency.notToScale", { duration: duration(row.value) })
    : row.tail === null ? duration(row.value)
    : t("latency.toP99", { duration: duration(row.value), p99: duration(row.tail) });
  const base = y + thickness - 2;
  const kind = row.clock ? "value refused" : "value";
  return frame.isNarrow
    ? [words("name", frame.left, base, row.name),
      words(kind, frame.width - 4, base, said, "end")]
    : [words("name", frame.left - 10, base, row.name, "end"),
      words(kind, frame.width - frame.right + 10, base, said)];
}

function scaled(frame, row, start, y) {
  const from = frame.x(start);
  const parts = [bar("stage", from, y, frame.x(start + row.value) - from, thickness)];
  if (row.tail === null) return parts;
  const [middle, to] = [y + thickness / 2, frame.x(start + row.tail)];
  parts.push(line("stage tail", frame.x(start + row.value), middle, to, middle));
  const isCut = start + row.tail > frame.span;
  parts.push(isCut
    ? svg("path", { class: "stage cut", d: `M${at(to - 5)} ${at(y + 3)} l5 4 l-5 4` })
    : line("stage tail", to, y + 3, to, y + thickness - 3));
  return parts;
}

function unscaled(frame, y) {
  const [from, to] = [frame.left, frame.width - frame.right];
  const middle = (from + to) / 2;
  return [
    bar("debounce", from, y, to - from, thickness),
    svg("path", { class: "break", d: `M${at(middle - 6)} ${at(y - 3)} l6 20 m6 -20 l6 20` }),
  ];
}
