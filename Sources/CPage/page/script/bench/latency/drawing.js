/** What every drawing of the latencies shares: its frame, its words, and where it is narrow. */

import { svg } from "../../dom.js";
import { at } from "./scale.js";

/** Below this width names stand above their bars and not beside them. */
export const narrow = 600;

/**
 * A drawing as wide as its place, so that its letters keep their size; `label` is what it says to
 * those who do not see it.
 */
export function drawing(width, height, label, parts) {
  return svg("svg", {
    viewBox: `0 0 ${at(width)} ${at(height)}`, width: at(width), height: at(height),
    role: "img", "aria-label": label,
  }, parts);
}

export const line = (kind, x1, y1, x2, y2) =>
  svg("line", { class: kind, x1: at(x1), y1: at(y1), x2: at(x2), y2: at(y2) });

export const bar = (kind, x, y, width, height) =>
  svg("rect", {
    class: kind, x: at(x), y: at(y), width: at(Math.max(1.5, width)), height: at(height), rx: "2",
  });

/** `anchor` is start, middle or end. */
export const words = (kind, x, y, text, anchor = "start") =>
  svg("text", { class: kind, x: at(x), y: at(y), "text-anchor": anchor }, text);
