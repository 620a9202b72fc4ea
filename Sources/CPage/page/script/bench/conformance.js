/**
 * Conformance runs: the suite of the wire protocol against the production firmware, in this
 * process and in virtual time. Outcomes are shown as they come, reports are downloaded.
 */

import { h, keyed, setText } from "../dom.js";
import { number, t } from "../texts.js";
import { api } from "../api.js";
import { often } from "./often.js";

const chapters = ["protocol", "reliability", "time", "button", "led", "battery", "gps", "seal"];
const verdicts = ["passed", "failed", "notTested", "notRun"];
/** Not by colour alone. */
const icons = { passed: "✓", failed: "✗", notTested: "–", notRun: "·" };
const path = "/v1/bench/conformance";
/** The run is asked for at most so often, ms. */
const every = 300;

export const conformance = {
  name: "conformance",
  title: "conformance.title",

  /** Follows a run that is on already, and any that is started here or elsewhere. */
  show(root, feed, signal) {
    const view = build(root, { start, stop });
    let run = null;

    async function load() {
      try {
        run = await api.get(path);
        view.show(run);
      } catch (problem) {
        view.refuse(problem);
      }
    }

    async function start(choice) {
      try {
        await api.post(path, choice);
      } catch (problem) {
        view.say(problem.status === 409 ? t("conformance.busy") : wordsOf(problem));
      }
      await load();
    }

    async function stop() {
      try {
        await api.delete(path);
      } catch (problem) {
        view.say(wordsOf(problem));
      }
      await load();
    }

    const ask = often(load, every, signal);
    feed.addEventListener("conformance", ({ detail }) => {
      // The end, the first of a run, and what follows on something missed: as the bench has it.
      const isNext = run?.isRunning && detail.outcome && detail.done === run.outcomes.length + 1;
      if (!isNext) return ask();
      run.outcomes.push(detail.outcome);
      [run.done, run.total] = [detail.done, detail.total];
      view.show(run);
    }, { signal });
    for (const event of ["connection", "gap"]) feed.addEventListener(event, ask, { signal });
    ask();
  },
};

const wordsOf = (problem) =>
  problem.code === "unreachable" ? t("problem.unreachable") : problem.message;

function build(root, { start, stop }) {
  const boxes = chapters.map((chapter) =>
    h("input", { type: "checkbox", id: `chapter-${chapter}`, value: chapter, checked: true }));
  const sizes = new Map(boxes.map((box) => [box.value, h("span", { class: "faint" })]));
  let parts = [];
  const quick = h("input", {
    type: "checkbox", id: "conformance-quick", checked: true, on: { change: () => showSizes() },
  });
  const startButton = h("button", { type: "submit", class: "main" }, t("conformance.start"));
  const stopButton = h("button", { type: "button", disabled: true, on: { click: stop } },
    t("conformance.stop"));
  const none = h("p", { class: "error", role: "alert" });
  const form = h("form", { on: { submit: (event) => begin(event) } },
    h("fieldset", {}, h("legend", {}, t("conformance.chapters")),
      boxes.map((box) => h("div", { class: "choice" }, box,
        h("label", { for: box.id }, t(`conformance.chapter.${box.value}`), " ",
          sizes.get(box.value))))),
    h("div", { class: "choice" }, quick,
      h("label", { for: quick.id }, t("conformance.quick"))),
    none,
    h("div", { class: "buttons" }, startButton, stopButton));

  const progress = h("progress", { "aria-label": t("conformance.progress"), max: "1", value: "0" });
  const counts = h("p", { class: "reading figures" });
  const state = h("p", { class: "summary", role: "status" });
  const filter = h("select", { id: "conformance-filter", on: { change: () => sift() } },
    ["all", ...verdicts].map((name) =>
      h("option", { value: name }, t(`conformance.show.${name}`))));
  const body = h("tbody");
  const table = h("div", {
    class: "wide outcomes", tabindex: "0", role: "region",
    "aria-label": t("conformance.outcomes"), hidden: true,
  }, h("table", {},
    h("thead", {}, h("tr", {}, ["verdict", "case", "reason"].map((name) =>
      h("th", { scope: "col" }, t(`conformance.column.${name}`))))),
    body));
  const reports = h("p", { class: "buttons", hidden: true }, ["json", "junit"].map((form) =>
    h("a", { class: "button", href: `${path}/report?form=${form}`, download: fileOf(form) },
      t(`conformance.report.${form}`))));
  const results = h("section", { class: "results", hidden: true },
    h("h2", {}, t("conformance.outcomes")), progress, counts,
    h("div", { class: "field" },
      h("label", { for: filter.id }, t("conformance.filter")), filter),
    table, reports);
  root.append(h("h1", {}, t("conformance.title")), h("div", { class: "conformance" },
    h("p", {}, t("conformance.judged")),
    h("p", {}, t("conformance.real"), " ", h("code", {}, t("conformance.command"))),
    form, state, results));

  /** All chapters are none by name: so that one which a later suite adds is not left out. */
  function begin(event) {
    event.preventDefault();
    const chosen = boxes.filter((box) => box.checked).map((box) => box.value);
    setText(none, chosen.length === 0 ? t("conformance.chooseOne") : "");
    if (chosen.length === 0 || startButton.disabled) return;
    turn(true);
    setText(state, t("conformance.starting"));
    start(chosen.length === chapters.length
      ? { quick: quick.checked } : { chapter: chosen, quick: quick.checked });
  }

  /** A button that is of no use now hands the focus of whoever pressed it to its neighbour. */
  function turn(isRunning) {
    const [on, off] = isRunning ? [stopButton, startButton] : [startButton, stopButton];
    on.disabled = false;
    if (document.activeElement === off) on.focus();
    off.disabled = true;
  }

  function show(run) {
    turn(run.isRunning);
    parts = run.chapters ?? parts;
    showSizes();
    const outcomes = run.outcomes ?? [];
    results.hidden = !run.isRunning && outcomes.length === 0;
    progress.max = Math.max(1, run.total ?? outcomes.length);
    progress.value = run.done ?? outcomes.length;
    setText(counts, countsOf(outcomes, run));
    table.hidden = outcomes.length === 0;
    reports.hidden = run.isRunning || outcomes.length === 0;
    setText(state, run.isRunning ? t("conformance.running")
      : run.summary ?? (outcomes.length === 0 ? t("conformance.never") : ""));
    keyed(body, outcomes, (outcome) => `${outcome.case} ${outcome.verdict}`, makeRow, siftRow);
  }

  /** How many cases each chapter has, as the suite says. */
  function showSizes() {
    for (const { chapter, cases, quickCases } of parts) {
      const count = quick.checked ? quickCases : cases;
      if (sizes.has(chapter)) setText(sizes.get(chapter), t("conformance.cases", { count }));
    }
  }

  function sift() {
    for (const row of body.children) siftRow(row);
  }

  function siftRow(row) {
    row.hidden = filter.value !== "all" && filter.value !== row.dataset.verdict;
  }

  function say(words) { setText(none, words); }

  function refuse(problem) {
    const known = { 401: "latency.loggedOut", 404: "conformance.noBench" }[problem.status];
    startButton.disabled = problem.status === 404 || problem.status === 401;
    setText(state, known ? t(known) : wordsOf(problem));
  }

  return { show, say, refuse };
}

const fileOf = (form) => form === "json" ? "fob-conformance.json" : "fob-conformance.xml";

function makeRow(outcome) {
  const verdict = verdicts.includes(outcome.verdict) ? outcome.verdict : "notRun";
  const kind = { passed: "good", failed: "error" }[verdict] ?? "faint";
  return h("tr", { "data-verdict": verdict },
    h("td", { class: `verdict ${kind}` },
      h("span", { "aria-hidden": "true" }, icons[verdict]), " ", t(`conformance.${verdict}`)),
    h("th", { scope: "row" }, h("code", {}, outcome.case),
      outcome.name ? h("small", {}, outcome.name) : null),
    h("td", {}, outcome.reason ?? ""));
}

function countsOf(outcomes, run) {
  const parts = verdicts
    .map((verdict) => [verdict, outcomes.filter((one) => one.verdict === verdict).length])
    .filter(([verdict, count]) => count > 0 || verdict === "passed" || verdict === "failed")
    .map(([verdict, count]) => `${number(count)} ${t(`conformance.${verdict}`)}`);
  const [done, total] = [run.done ?? outcomes.length, run.total ?? outcomes.length];
  return t("conformance.counts",
    { done: number(done), total: number(total), parts: parts.join(", ") });
}
