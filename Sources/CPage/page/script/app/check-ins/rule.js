/** By which rule a series comes: five tabs, one for each kind (R90 to R94). */

import { h, setAttribute, setText } from "../../dom.js";
import { t } from "../../texts.js";
import { choiceField, numberField } from "./fields.js";
import { groupName, monthName, weekdayName, weekdays } from "./words.js";

const kinds = ["once", "days", "weeks", "months", "years"];
const ordinals = ["first", "second", "third", "fourth", "last", "every"];
const groups = [...weekdays, "weekdays", "weekend", "day"];

/**
 * Tabs for `rule`, as the API has it: a field named "rule" with `rule()`; `changed()` is called at
 * each choice of a tab. `start`, "2026-11-25", gives what nobody has chosen yet.
 */
export function ruleField({ rule: present, start, changed }) {
  const first = new Date(`${start}T12:00:00Z`);
  const panels = {
    once: oncePanel(), days: daysPanel(present), weeks: weeksPanel(present, first),
    months: monthsPanel(present, first), years: yearsPanel(present, first),
  };
  const error = h("p", { class: "error", id: "rule-error", role: "alert" });
  let chosen = present.kind;

  const tabs = kinds.map((kind) => h("button", {
    type: "button", role: "tab", id: `tab-${kind}`, "aria-controls": `panel-${kind}`,
    on: { click: () => choose(kind) },
  }, t(`kind.${kind}`)));
  const list = h("div", { class: "tabs", role: "tablist", "aria-label": t("editor.rule") }, tabs);
  const shown = kinds.map((kind) => h("div", {
    role: "tabpanel", id: `panel-${kind}`, "aria-labelledby": `tab-${kind}`,
  }, panels[kind].element));

  function mark() {
    kinds.forEach((kind, at) => {
      setAttribute(tabs[at], "aria-selected", kind === chosen);
      setAttribute(tabs[at], "tabindex", kind === chosen ? 0 : -1);
      shown[at].hidden = kind !== chosen;
    });
  }
  function choose(kind) {
    chosen = kind;
    mark();
    changed();
  }
  list.addEventListener("keydown", ({ key }) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (!step) return;
    const at = (kinds.indexOf(chosen) + step + kinds.length) % kinds.length;
    choose(kinds[at]);
    tabs[at].focus();
  });
  mark();
  return {
    name: "rule",
    get input() { return tabs[kinds.indexOf(chosen)]; },
    element: h("div", { class: "field" }, list, shown, error),
    get kind() { return chosen; },
    rule: () => ({ kind: chosen, ...panels[chosen].read() }),
    fail: (text) => setText(error, text),
  };
}

const numberOf = ({ input }) => Number(input.value);

function everyField(kind, value) {
  return numberField({
    name: "every", label: t(`every.${kind}`), least: 1, most: 999, value: value ?? 1,
  });
}

const oncePanel = () => ({ element: h("p", {}, t("once.text")), read: () => ({}) });

function daysPanel(present) {
  const its = present.kind === "days" ? present : {};
  const every = everyField("days", its.every);
  const times = numberField({
    name: "times", label: t("days.times"), least: 1, most: 24, value: its.times ?? 1,
  });
  const apart = numberField({
    name: "hoursApart", label: t("days.apart"), hint: t("days.apart.hint"), least: 1, most: 23,
    value: its.hoursApart ?? 4,
  });
  const isMore = () => numberOf(times) > 1;
  const show = () => { apart.element.hidden = !isMore(); };
  times.input.addEventListener("input", show);
  show();
  return {
    element: h("div", { class: "row" }, every.element, times.element, apart.element),
    read: () => ({
      every: numberOf(every), times: numberOf(times), hoursApart: isMore() ? numberOf(apart) : 1,
    }),
  };
}

/** Boxes of which any number is chosen. */
function boxes(label, options, present) {
  const all = options.map(([value, text]) => [value, h("input", {
    type: "checkbox", checked: present.includes(value),
  }), text]);
  return {
    element: h("fieldset", { class: "boxes" }, h("legend", {}, label),
      all.map(([, box, text]) => h("label", {}, box, " ", text))),
    read: () => all.filter(([, box]) => box.checked).map(([value]) => value),
  };
}

function weeksPanel(present, first) {
  const its = present.kind === "weeks" ? present : {};
  const every = everyField("weeks", its.every);
  const days = boxes(t("weeks.days"), weekdays.map((day) => [day, weekdayName(day)]),
    its.weekdays ?? [weekdays[(first.getUTCDay() + 6) % 7]]);
  return {
    element: h("div", {}, every.element, days.element),
    read: () => ({ every: numberOf(every), weekdays: days.read() }),
  };
}

/** A day by its number, or by which of the month's weekdays it is. */
function monthDay(its, first) {
  const which = choiceField({
    name: "ordinal", label: t("month.which"), value: its.ordinal ?? "day",
    options: [["day", t("month.day")], ...ordinals.map((one) => [one, t(`ordinal.${one}`)])],
  });
  const day = numberField({
    name: "day", label: t("month.number"), hint: t("month.number.hint"), least: 1, most: 31,
    value: its.day ?? first.getUTCDate(),
  });
  const group = choiceField({
    name: "weekday", label: t("month.weekday"), value: its.weekday ?? "monday",
    options: groups.map((one) => [one, groupName(one)]),
  });
  const isDay = () => which.input.value === "day";
  const show = () => {
    day.element.hidden = !isDay();
    group.element.hidden = isDay();
  };
  which.input.addEventListener("change", show);
  show();
  return {
    elements: [which.element, day.element, group.element],
    read: () => isDay() ? { day: numberOf(day) }
      : { ordinal: which.input.value, weekday: group.input.value },
  };
}

function monthsPanel(present, first) {
  const its = present.kind === "months" ? present : {};
  const every = everyField("months", its.every);
  const day = monthDay(its, first);
  return {
    element: h("div", { class: "row" }, every.element, day.elements),
    read: () => ({ every: numberOf(every), ...day.read() }),
  };
}

function yearsPanel(present, first) {
  const its = present.kind === "years" ? present : {};
  const every = everyField("years", its.every);
  const months = boxes(t("years.months"),
    Array.from({ length: 12 }, (_, at) => [at + 1, monthName(at + 1)]),
    its.months ?? [first.getUTCMonth() + 1]);
  const day = monthDay(its, first);
  return {
    element: h("div", {}, every.element, months.element, h("div", { class: "row" }, day.elements)),
    read: () => ({ every: numberOf(every), months: months.read(), ...day.read() }),
  };
}
