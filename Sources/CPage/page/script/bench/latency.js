/**
 * How long each stage of a press takes, live: the waterfall of the medians and of the last press,
 * histograms, percentile curves, and all figures as a table. Drawn as the reports of `fob bench`.
 */

import { h, keyed, setText } from "../dom.js";
import { ago, moment, t } from "../texts.js";
import { api } from "../api.js";
import { fewest, percentileCurves } from "./latency/curves.js";
import { duration, isRefused, tail } from "./latency/figures.js";
import { histograms } from "./latency/histograms.js";
import { often } from "./often.js";
import { meaningOfAll, nameOf, rowsOfPress } from "./latency/stages.js";
import { figuresTable, notesOn } from "./latency/table.js";
import { waterfall } from "./latency/waterfall.js";

/** Presses may come in hundreds a second; a person reads one figure a second, ms. */
const every = 1_000;

export const latency = {
  name: "latency",
  title: "latency.title",

  /** Asks for the figures now and after each press that `feed` tells of. */
  show(root, feed, signal) {
    const view = build(root);
    const load = async () => {
      try {
        view.take(await api.get("/v1/bench/latency"));
      } catch (problem) {
        view.refuse(problem);
      }
    };
    const ask = often(load, every, signal);
    for (const event of ["stages", "connection", "gap"]) {
      feed.addEventListener(event, ask, { signal });
    }
    // In the next frame: what is drawn changes the height of what is watched.
    const watch = new ResizeObserver(() => requestAnimationFrame(view.drawAnew));
    watch.observe(view.content);
    const clock = setInterval(() => view.tellAge(), every);
    signal.addEventListener("abort", () => {
      watch.disconnect();
      clearInterval(clock);
    });
    ask();
  },
};

function build(root) {
  const part = (name) => h("p", { class: `reading ${name}` });
  const [meaning, extent, last] = [part("lede"), part("faint"), part("faint")];
  const state = h("p", { role: "status" }, t("latency.loading"));
  const table = figuresTable();
  const notes = h("ul", { class: "faint" });
  const choice = h("select", { id: "latency-curves", on: { change: () => draw() } },
    ["sums", "stages"].map((name) => h("option", { value: name }, t(`latency.curves.${name}`))));
  const fewPresses = h("p", { class: "faint", hidden: true }, t("latency.curves.tooFew"));
  const figure = (name) => h("figure", { class: "drawing reading" }, h("div", { class: "canvas" }),
    h("figcaption", {}, t(`latency.${name}.caption`)));
  const [medians, press, shapes, curves] =
    [figure("medians"), figure("last"), figure("histograms"), figure("curves")];
  const content = h("div", { class: "latency", hidden: true },
    meaning, extent,
    h("h2", {}, t("latency.medians")), medians,
    h("h2", {}, t("latency.last")), last, press,
    h("h2", {}, t("latency.histograms")), shapes,
    h("h2", {}, t("latency.curves")),
    h("div", { class: "field" },
      h("label", { for: "latency-curves" }, t("latency.curves.choose")), choice),
    fewPresses, curves,
    h("h2", {}, t("latency.figures")), table.element, notes);
  root.append(h("h1", {}, t("latency.title")), state, content);

  let now = null;
  let takenAt = 0;
  let drawnWide = 0;

  function take(answer) {
    [now, takenAt] = [answer, performance.now()];
    const isEmpty = answer.presses === 0;
    content.hidden = isEmpty;
    setText(state, isEmpty ? t("latency.none") : "");
    if (isEmpty) return;
    const uncertainty = answer.last?.uncertainty ?? null;
    setText(meaning, meaningOfAll(answer.stages));
    setText(last, answer.last ? t("latency.last.event", { event: answer.last.event,
      device: answer.last.device }) + clockWords(uncertainty) : t("latency.last.none"));
    table.update(answer.stages, uncertainty);
    keyed(notes, notesOn(answer.stages, uncertainty), (note) => note, (note) => h("li", {}, note));
    tellAge();
    draw();
  }

  function refuse(problem) {
    const known = { 401: "latency.loggedOut", 404: "latency.noBench" }[problem.status];
    setText(state, known ? t(known) : t("problem.unreachable"));
    if (known) content.hidden = true;
  }

  /** Figures are of the process's life until they were asked for; they say when that was. */
  function tellAge() {
    if (!now || now.presses === 0) return;
    setText(extent, t("latency.extent",
      { count: now.presses, since: moment(now.since), ago: ago(performance.now() - takenAt) }));
  }

  const width = () => Math.floor(medians.firstChild.clientWidth);

  /** Where the room for it has changed. */
  function drawAnew() { if (width() !== drawnWide) draw(); }

  function draw() {
    const wide = width();
    if (!now || content.hidden || wide < 100) return;
    drawnWide = wide;
    const stages = now.stages.filter((stage) => stage.count > 0);
    const inOrder = stages.filter((stage) => !stage.isSum);
    const uncertainty = now.last?.uncertainty ?? null;
    put(medians, waterfall(wide, inOrder.map((stage) => rowOf(stage, uncertainty)),
      inWords("latency.medians.label", inOrder)));
    press.hidden = !now.last;
    if (now.last) {
      const rows = rowsOfPress(now.last);
      put(press, waterfall(wide, rows, t("latency.last.label", { rows: listOf(rows) })));
    }
    put(shapes, histograms(wide, stages.map((stage) => ({ ...stage, name: nameOf(stage) })),
      inWords("latency.histograms.label", stages)));
    const chosen = stages.filter((stage) => Boolean(stage.isSum) === (choice.value === "sums"));
    const isEnough = chosen.some((stage) => stage.count >= fewest);
    fewPresses.hidden = isEnough;
    curves.hidden = !isEnough;
    if (isEnough) {
      put(curves, percentileCurves(wide,
        chosen.map((stage) => ({ ...stage, name: nameOf(stage) })),
        inWords("latency.curves.label", chosen)));
    }
  }

  return { content, take, refuse, tellAge, drawAnew };
}

const put = (figure, drawing) => figure.firstChild.replaceChildren(drawing);

const rowOf = (stage, uncertainty) => ({
  name: nameOf(stage),
  value: stage.p50,
  tail: tail(stage, 99),
  isUnscaled: stage.stage === "debounce",
  clock: isRefused(stage, uncertainty) ? clockOf(uncertainty) : null,
});

const clockOf = (uncertainty) =>
  uncertainty === null ? t("latency.notFitted") : duration(uncertainty);

const listOf = (rows) => rows.map(({ name, value }) =>
  `${name} ${value === null ? t("latency.notSeen") : duration(value)}`).join(", ");

const inWords = (name, stages) =>
  t(name, { rows: listOf(stages.map((stage) => ({ name: nameOf(stage), value: stage.p50 }))) });

const clockWords = (uncertainty) => uncertainty === null ? t("latency.last.notFitted")
  : t("latency.last.clock", { clock: duration(uncertainty) });
