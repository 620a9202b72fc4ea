/**
 * The list of check-ins, the oldest first (R97, R98, R106): how each stands, and what can be done
 * about it. It is asked for again where the core tells of a change, and where a row comes to stand
 * otherwise.
 */

import { h, keyed, setAttribute, setText } from "../../dom.js";
import { api, joined } from "../../api.js";
import { follow } from "../../model.js";
import { t } from "../../texts.js";
import { action, problemText, setOff } from "../forms.js";
import { checkInRow } from "./row.js";

const minute = 60_000_000;
/** So many to come of a series stand there; the others unfold. */
const few = 3;
/** Lists are asked for again at the latest after so long, ms. */
const longest = 3_600_000;

/** Fills `place`; resolves once the first list is there. */
export async function listPart(place, { model, account, signal, lead }) {
  const refused = h("p", { class: "error general", role: "alert" });
  const said = h("p", { class: "said", role: "status" });
  const count = h("p", { class: "count", role: "status" });
  const list = h("ol", { class: "check-ins" });
  const rows = new Map();
  let series = new Map();
  /** The ids of those that are unfolded. */
  const unfolded = new Set();
  let isOverview = false;
  let waiting = null;
  let checkIns = [];
  /** The overdue one that "Next overdue" went to last. */
  let last = null;

  const refuse = (text) => {
    setText(refused, text);
    if (text) setText(said, "");
  };
  const tell = (text) => {
    refuse("");
    setText(said, text);
  };

  const load = joined(async () => {
    const query = new URLSearchParams({ view: isOverview ? "overview" : "all" });
    if (search.value.trim()) query.set("search", search.value.trim());
    try {
      const [found, all] = await Promise.all([
        api.get(`/v1/check-ins?${query}`), api.get("/v1/check-ins/series")]);
      if (signal.aborted) return;
      series = new Map(all.series.map((one) => [one.id, one]));
      show(found);
    } catch (problem) {
      if (!signal.aborted) refuse(problemText(problem));
    }
  });

  function show(found) {
    checkIns = found.checkIns;
    setText(count, found.next ? t("list.tooMany", { count: checkIns.length })
      : checkIns.length > 0 ? t("list.count", { count: checkIns.length })
      : t(search.value.trim() ? "list.nothing" : "list.none"));
    const overdue = checkIns.filter(isOverdue);
    setText(next, t("list.next", { count: overdue.length }));
    setOff(next, overdue.length === 0);
    unfold(found.now);
    wait(found.now);
  }

  function unfold(now) {
    const items = folded(checkIns, unfolded);
    keyed(list, items, keyOf, (one) => {
      const row = one.fold ? foldRow((id, isOpen) => {
        if (isOpen) unfolded.add(id);
        else unfolded.delete(id);
        unfold(now);
      }) : checkInRow({ model, account, signal, lead, tell, refuse, changed: load });
      rows.set(keyOf(one), row);
      return row.element;
    }, (element, one) => rows.get(keyOf(one)).update(one, series.get(one.series), now));
    for (const key of rows.keys()) {
      if (!items.some((one) => keyOf(one) === key)) rows.delete(key);
    }
  }

  /** Until one of them comes to stand otherwise. */
  function wait(now) {
    clearTimeout(waiting);
    const turns = checkIns.flatMap(({ due, answerableFrom }) =>
      [answerableFrom, due - 20 * minute, due, due + 20 * minute]).filter((turn) => turn > now);
    const left = turns.reduce((least, turn) => Math.min(least, (turn - now) / 1000), longest);
    waiting = setTimeout(load, left + 50);
  }

  const toggle = action({
    label: t("list.overview"), refused: refuse,
    async work() {
      isOverview = !isOverview;
      setText(toggle, t(isOverview ? "list.all" : "list.overview"));
      await load();
    },
  });
  const next = action({
    label: t("list.next", { count: 0 }), refused: refuse,
    async work() {
      const overdue = checkIns.filter(isOverdue).map(keyOf);
      last = overdue[(overdue.indexOf(last) + 1) % overdue.length];
      const { element } = rows.get(last);
      element.scrollIntoView({ block: "center" });
      element.focus({ preventScroll: true });
    },
  });
  const search = h("input", { type: "search", id: "check-in-search", maxlength: 100 });
  let typing = null;
  search.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(load, 300);
  });
  signal.addEventListener("abort", () => {
    clearTimeout(typing);
    clearTimeout(waiting);
  });
  let raisedNothing = null;
  follow(model, ["status"], signal, () => {
    const { raisesNothing } = model.status.checkIns;
    if (raisedNothing !== null && raisesNothing !== raisedNothing) load();
    raisedNothing = raisesNothing;
  });
  model.addEventListener("line", ({ detail: { name } }) => {
    if (/^checkIn|^series|^incident|^resumed/.test(name)) load();
  }, { signal });

  place.append(
    h("div", { class: "buttons" },
      h("a", { class: "button main", href: "#/checkIns/new" }, t("list.new")), toggle, next),
    h("div", { class: "search", role: "search" },
      h("label", { for: search.id }, t("list.search")), search),
    count, refused, said, list, h("p", {}, t("list.means")),
    h("p", { class: "faint" }, t(`click.${model.status.profile}`)),
    h("p", { class: "faint" }, t("list.zone", { zone: account.zone.replaceAll("_", " ") })));
  await load();
}

/** The check-ins, and behind the first few to come of a series the row that has the others. */
function folded(checkIns, unfolded) {
  const toCome = Map.groupBy(checkIns.filter(isToCome), (one) => one.series);
  return checkIns.flatMap((one) => {
    const all = toCome.get(one.series) ?? [];
    const place = all.indexOf(one);
    if (place < few - 1 || all.length <= few + 1) return one;
    const isOpen = unfolded.has(one.series);
    if (place >= few) return isOpen ? one : [];
    return [one, { series: one.series, key: "fold", fold: { count: all.length - few, isOpen } }];
  });
}

/** Opens and folds the later ones of a series; the button stays where it is. */
function foldRow(turn) {
  let now = null;
  const button = h("button", { type: "button" });
  button.addEventListener("click", () => turn(now.series, !now.fold.isOpen));
  return {
    element: h("li", { class: "fold" }, button),
    update(one, its) {
      now = one;
      const { count, isOpen } = one.fold;
      setAttribute(button, "aria-expanded", isOpen);
      setText(button, t(isOpen ? "list.fold" : "list.unfold", {
        count, name: its?.description ?? "",
      }));
    },
  };
}

const keyOf = ({ series, key }) => `${series}/${key}`;
const isToCome = ({ phase }) => phase === "scheduled" || phase === "soon";
const isOverdue = ({ phase }) => phase === "overdue" || phase === "late";
