/** All figures as a table: what the drawings show, for those who read and for those who hear. */

import { h, keyed, setAttribute, setText } from "../../dom.js";
import { number, t } from "../../texts.js";
import { isRefused, microseconds, needed, tail } from "./figures.js";
import { meaningOf, nameOf } from "./stages.js";

const columns = ["presses", "min", "p50", "p90", "p99", "max", "mean", "clock"];

/** A table that `update(stages, uncertainty)` fills; its rows stay, their texts change. */
export function figuresTable() {
  const bodies = [h("tbody"), h("tbody")];
  const table = h("table", { class: "stages" },
    h("caption", {}, t("latency.figures.caption")),
    h("thead", {}, h("tr", {},
      h("th", { scope: "col" }, t("latency.column.stage")),
      columns.map((name) => h("th", { scope: "col" }, t(`latency.column.${name}`))))),
    bodies);
  // Wider than a telephone, so it can be moved by keyboard, too.
  const element = h("div",
    { class: "wide", tabindex: "0", role: "region", "aria-label": t("latency.figures") }, table);
  return {
    element,
    /** `uncertainty` is ± µs between the clocks, null where they are not fitted. */
    update(stages, uncertainty) {
      bodies.forEach((body, index) => {
        const rows = stages.filter((stage) => Boolean(stage.isSum) === (index === 1));
        keyed(body, rows, (stage) => stage.stage, makeRow,
          (row, stage) => fillRow(row, stage, uncertainty));
      });
    },
  };
}

function makeRow(stage) {
  return h("tr", {},
    h("th", { scope: "row" }, nameOf(stage), h("small", {}, meaningOf(stage))),
    columns.map(() => h("td", { class: "reading" })));
}

/** A figure that is refused is red, and says so in the place of a number that would mislead. */
function fillRow(row, stage, uncertainty) {
  const isAny = stage.count > 0;
  const figures = {
    presses: { text: number(stage.count) },
    min: crossed(stage, stage.min, uncertainty),
    p50: crossed(stage, stage.p50, uncertainty),
    p90: tailOf(stage, 90, isAny), p99: tailOf(stage, 99, isAny),
    max: { text: microseconds(stage.max) },
    mean: crossed(stage, stage.mean, uncertainty),
    clock: { text: clockOf(stage, uncertainty) },
  };
  columns.forEach((name, index) => {
    const cell = row.cells[index + 1];
    setText(cell, figures[name].text);
    setAttribute(cell, "class", figures[name].isRefused ? "reading error refused" : "reading");
  });
}

/** Between two clocks a value has beside it what they leave open, where that decides. */
function crossed(stage, value, uncertainty) {
  if (!isRefused(stage, uncertainty, value)) return { text: microseconds(value) };
  const clock = uncertainty === null ? t("latency.notFitted") : microseconds(uncertainty);
  return { text: t("latency.refused", { value: microseconds(value), clock }), isRefused: true };
}

function tailOf(stage, percentile, isAny) {
  const value = tail(stage, percentile);
  return value === null && isAny
    ? { text: t("latency.tooFew"), isRefused: true }
    : { text: microseconds(value) };
}

function clockOf(stage, uncertainty) {
  if (!stage.crossesClocks) return "";
  return uncertainty === null ? t("latency.notFitted") : microseconds(uncertainty);
}

/** What a reader of the figures must know of them. */
export function notesOn(stages, uncertainty) {
  const notes = [];
  if (stages.some((stage) => stage.count > 0 && tail(stage, 99) === null)) {
    notes.push(t("latency.note.tails", { p90: needed(90), p99: needed(99) }));
  }
  for (const stage of stages) {
    const name = nameOf(stage);
    if (stage.min < 0) notes.push(t("latency.note.negative", { stage: name }));
    if (stage.crossesClocks && uncertainty !== null && Math.abs(stage.p50) <= uncertainty) {
      notes.push(t("latency.note.clocks", { stage: name, clock: microseconds(uncertainty) }));
    }
  }
  return notes;
}
