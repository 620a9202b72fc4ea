/**
 * The status rows: text, cause and advice, and an icon that tells them apart without
 * colour.
 */

import { h, keyed, setAttribute, setText, svg } from "../../dom.js";
import { ago, hasText, t } from "../../texts.js";

/** What each level looks like: a tick, a triangle, a cross; what is not known, a question mark. */
const shapes = {
  good: [["circle", { cx: 12, cy: 12, r: 10 }],
    ["path", { d: "m7 12.5 3.5 3.5L17 9", class: "stroke" }]],
  warning: [["path", { d: "M12 2 23 21H1z" }], ["path", { d: "M12 9v5m0 4v.1", class: "stroke" }]],
  error: [["rect", { x: 2, y: 2, width: 20, height: 20, rx: 3 }],
    ["path", { d: "m8 8 8 8m0-8-8 8", class: "stroke" }]],
  unknown: [["circle", { cx: 12, cy: 12, r: 10 }],
    ["path", { d: "M9 9.5a3 3 0 1 1 4 2.8q-1 .5-1 1.7m0 3v1", class: "stroke" }]],
};

/** An icon of that level; its name is for who cannot see it. */
export function icon(level) {
  const colour = level === "unknown" ? "warning" : level;
  return svg("svg", {
    viewBox: "0 0 24 24", class: `icon ${colour}`, role: "img", "aria-label": t(`level.${level}`),
  }, shapes[level].map(([tag, attributes]) => svg(tag, attributes)));
}

/** A list that is built once; `show(lines, age, isStale)` brings it up to date. */
export function lineList() {
  const element = h("ul", { class: "lines" });
  return {
    element,
    show(lines, age, isStale) {
      keyed(element, isStale ? unheard(lines) : lines, (line) => line.kind, make,
        (item, line) => update(item, line, age));
    },
  };
}

/**
 * A row's text and advice in the reader's words, by its code; the core's own where it has none, or
 * one that this page does not know. `age`: how old the status is, ms.
 */
export function rowWords(line, age) {
  const { code, detail, percent, locatedAge } = line;
  const name = `row.${code}`;
  if (!code || !hasText(name)) return { text: line.text, advice: line.advice ?? "" };
  const values = { percent, detail: detail ?? "" };
  const last = located.has(code) && locatedAge !== undefined && locatedAge !== null
    ? t("row.lastLocated", { ago: ago(locatedAge * 1000 + age) }) : "";
  // What the core gives no advice for has none.
  const advice = line.advice && hasText(`${name}.advice`) ? t(`${name}.advice`, values) : "";
  return { text: t(name, values), advice: last || advice };
}

/** These say when there was a position last, where there was one. */
const located = new Set(["gpsWeak", "gpsSearching"]);

/** What stands where the core is not heard: the service is an error, the rest is old (R31, R33). */
function unheard(lines) {
  return lines.map((line) => line.kind === "service"
    ? { ...line, code: null, level: "error", text: t("status.unheard"),
      advice: t("status.unheardAdvice"), isFresh: true }
    : { ...line, level: "unknown" });
}

function make() {
  return h("li", {}, h("span", {}),
    h("div", {}, h("p", { class: "text" }), h("p", { class: "advice" })),
    h("span", { class: "age faint figures" }));
}

function update(item, line, age) {
  const [sign, words, read] = item.children;
  const [text, advice] = words.children;
  // R30: what nobody knows has a question mark, not a warning's triangle.
  const shape = line.code?.endsWith("Unknown") ? "unknown" : line.level;
  if (item.dataset.shape !== shape) {
    item.dataset.shape = shape;
    sign.replaceChildren(icon(shape));
  }
  setAttribute(words, "class", line.isFresh ? null : "reading");
  setAttribute(sign, "class", line.isFresh ? null : "reading");
  const said = rowWords(line, age);
  setText(text, said.text);
  setText(advice, said.advice);
  const milliseconds = line.age === undefined || line.age === null ? null : line.age * 1000 + age;
  setText(read, milliseconds === null || line.isFresh ? ""
    : milliseconds < 5_000 ? t("status.readNow") : ago(milliseconds));
}
