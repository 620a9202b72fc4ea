/**
 * What became of check-ins, the latest first (R98, R101 to R103, R109): when each was answered, by
 * whom, and what was said of it.
 */

import { ask, h, setText } from "../../dom.js";
import { api } from "../../api.js";
import { hasText, t } from "../../texts.js";
import { editorDialog } from "../dialog.js";
import { action, form, problemText } from "../forms.js";
import { commentField } from "./single.js";
import { ruleWords, when } from "./words.js";

const page = 20;

/** Fills `place`; resolves once the first entries are there. */
export async function historyPart(place, { model, account, signal, path, lead }) {
  const refused = h("p", { class: "error general", role: "alert" });
  const count = h("p", { class: "count", role: "status" });
  const list = h("ol", { class: "check-ins" });
  const ended = h("div", {});
  let series = new Map();
  let before = null;
  /** Answers to an earlier question are not shown. */
  let turn = 0;
  const refuse = (text) => setText(refused, text);

  async function load() {
    const mine = turn;
    const query = new URLSearchParams({ limit: page, ...before === null ? {} : { before } });
    const { entries, total, next } = await api.get(`/v1/check-ins/history?${query}`);
    if (mine !== turn || signal.aborted) return;
    before = next ?? null;
    const rows = entries.map((entry) => entryRow({
      entry, account, signal, refuse, series: series.get(entry.series), restore,
    }));
    const isFirst = list.children.length === 0;
    list.append(...rows);
    setText(count, total === 0 ? t("past.none") : t("past.count", { count: total }));
    more.hidden = before === null;
    // The button may be gone: the keyboard goes on at what has come.
    if (!isFirst) rows[0]?.focus();
  }

  async function begin() {
    turn += 1;
    before = null;
    try {
      const all = (await api.get("/v1/check-ins/series")).series;
      if (signal.aborted) return;
      series = new Map(all.map((one) => [one.id, one]));
      list.replaceChildren();
      ended.replaceChildren(...endedSeries(all.filter((one) => one.hasEnded)));
      await load();
    } catch (problem) {
      if (!signal.aborted) refuse(problemText(problem));
    }
  }

  /** R102: what is lost by it is said before. */
  async function restore(entry) {
    const wish = await ask({
      title: t("past.restore.ask", { name: entry.description }), text: t("past.restore.text"),
      buttons: [
        { label: t("button.no"), kind: "main" },
        { label: t("past.restore"), value: "restore", kind: "danger" },
      ],
    });
    if (wish !== "restore") return;
    await api.post(`/v1/check-ins/${entry.series}/${entry.key}/restore`);
    await model.refresh();
    await lead(path, t("past.restored", { name: entry.description }));
  }

  const more = action({ label: t("past.more"), work: load, refused: refuse });
  model.addEventListener("line", ({ detail: { name } }) => {
    const isNew = /^checkIn(Completed|Escalated|Covered|Missed|Removed)|^series/.test(name);
    if (isNew) begin();
  }, { signal });
  place.append(ended, count, refused, list, h("div", { class: "buttons" }, more));
  more.hidden = true;
  await begin();
}

/** R109: they can be offered again. */
function endedSeries(all) {
  if (all.length === 0) return [];
  return [h("section", { class: "card", "aria-labelledby": "ended-title" },
    h("h2", { id: "ended-title" }, t("past.ended")),
    h("ul", { class: "ended-series" }, all.map((one) => h("li", {},
      h("span", {}, one.description, " ", h("span", { class: "faint" }, ruleWords(one.rule))),
      reactivation(one)))))];
}

const reactivation = (series) => h("a", {
  class: "button", href: `#/checkIns/reactivate/${series.id}`,
  "aria-label": t("past.reactivate.name", { name: series.description }),
}, t("past.reactivate"));

function entryRow({ entry, account, signal, refuse, series, restore }) {
  const at = (wall) => when(wall, account.zone);
  const comment = h("p", { class: "comment" });
  const terms = h("dl", { class: "terms" });
  const show = () => {
    setText(comment, entry.comment);
    setText(edit, t(entry.comment ? "past.comment.edit" : "past.comment.add"));
  };
  const name = { name: entry.description, at: at(entry.due) };
  const edit = action({
    label: t("past.comment.add"), refused: refuse,
    async work() {
      const said = await editComment(entry, signal);
      if (said === null) return;
      entry.comment = said;
      show();
    },
  });
  edit.setAttribute("aria-describedby", `entry-${entry.series}-${entry.key}`);
  const row = (label, value) => [h("dt", {}, t(`past.${label}`)), h("dd", {}, value)];
  terms.append(...[
    row("due", at(entry.due)),
    entry.completedAt ? row("answered", at(entry.completedAt)) : [],
    entry.by ? row("by", answerer(entry.by)) : [],
    entry.nagged > 0 ? row("nagged", t("past.times", { count: entry.nagged })) : [],
  ].flat());
  show();
  const restoring = action({
    label: t("past.restore"), name: t("past.restore.name", name), refused: refuse,
    work: () => restore(entry),
  });
  restoring.hidden = entry.state !== "completed";
  return h("li", { class: "card check-in past", tabindex: -1, "data-state": entry.state },
    h("div", { class: "who" },
      h("p", { class: "stands" }, h("span", { class: "phase" }, stateWord(entry.state))),
      h("h2", { id: `entry-${entry.series}-${entry.key}` }, entry.description), terms, comment),
    h("div", { class: "buttons" }, edit, restoring,
      entry.incident ? h("a", { class: "button", href: "#/history" }, t("past.incident")) : null,
      series?.hasEnded ? reactivation(series) : null));
}

const stateWord = (state) => hasText(`past.state.${state}`) ? t(`past.state.${state}`) : state;

/** Whose click, or which person or program. */
function answerer({ kind, device, name }) {
  if (kind === "click") return t("past.by.click", { device });
  return hasText(`past.by.${name}`) ? t(`past.by.${name}`) : name;
}

/** Resolves to the new comment; to null where nothing was saved. */
async function editComment(entry, signal) {
  const comment = commentField(entry.comment);
  const text = () => comment.input.value.trim();
  const isSaved = await editorDialog({
    title: entry.description, signal, values: text,
    make: ({ hasChanges, cancel, sent }) => form({
      fields: [comment], label: t("unsaved.save"), others: cancel, sent, isReady: hasChanges,
      send: () => api.patch(
        `/v1/check-ins/${entry.series}/${entry.key}/comment`, { comment: text() }),
    }),
  });
  return isSaved ? text() : null;
}
