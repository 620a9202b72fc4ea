/** Check-ins in words: when, how they stand, and by which rule they come. */

import { svg } from "../../dom.js";
import { calendarDate, clockTime, weekdayOf } from "../../clock.js";
import { hasText, language, t } from "../../texts.js";

/** µs since 1970, as weekday, date and time in the account's zone. */
export const when = (wall, zone) =>
  `${weekdayOf(wall, { zone })} ${calendarDate(wall, { zone })}, ${clockTime(wall, { zone })}`;

/** A local date of the API, as "2026-11-25", as people write it. */
export const dateWords = (date) =>
  calendarDate(Date.parse(`${date}T12:00:00Z`) * 1000, { zone: "UTC" });

/** A local time of the API, as "09:00". */
export const timeWords = (time) =>
  clockTime(Date.parse(`2026-01-01T${time}:00Z`) * 1000, { zone: "UTC" });

/** The local date and time of a moment, as the API and fields have them. */
export function localParts(wall, zone) {
  const parts = Object.fromEntries(new Intl.DateTimeFormat("en-CA", {
    timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit",
    minute: "2-digit", hourCycle: "h23",
  }).formatToParts(wall / 1000).map(({ type, value }) => [type, value]));
  return {
    date: `${parts.year}-${parts.month}-${parts.day}`, time: `${parts.hour}:${parts.minute}`,
  };
}

const minute = 60_000_000;

/** R97: which colour a check-in has; one that is in time has that of how near it is. */
export const colourOf = ({ phase, due }, now) => ({
  scheduled: "blue", soon: "green", overdue: "yellow", late: "red",
})[phase] ?? (due - now > 20 * minute ? "blue" : "green");

/** Each phase has a shape of its own, so that nobody needs to see its colour. */
const shapes = {
  scheduled: [["circle", { cx: 12, cy: 12, r: 9, class: "line" }],
    ["path", { d: "M12 7v5l3 2", class: "line" }]],
  soon: [["circle", { cx: 12, cy: 12, r: 10 }], ["path", { d: "M12 6v6l4 3", class: "stroke" }]],
  inTime: [["path", { d: "M12 1 23 12 12 23 1 12z" }],
    ["path", { d: "m8 12 3 3 5-6", class: "stroke" }]],
  overdue: [["path", { d: "M12 2 23 21H1z" }],
    ["path", { d: "M12 9v5m0 4v.1", class: "stroke" }]],
  late: [["rect", { x: 2, y: 2, width: 20, height: 20, rx: 3 }],
    ["path", { d: "M12 6v7m0 4v.1", class: "stroke" }]],
};

/** The sign of a phase; its word stands beside it. */
export const phaseSign = (phase) => svg("svg", {
  viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true",
}, (shapes[phase] ?? shapes.scheduled).map(([tag, attributes]) => svg(tag, attributes)));

export const phaseWord = (phase) =>
  hasText(`phase.${phase}`) ? t(`phase.${phase}`) : phase;

/** Monday first, as the API names them. */
export const weekdays = [
  "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/** In the reader's language. */
export function weekdayName(weekday) {
  const day = Date.UTC(2024, 0, 1 + weekdays.indexOf(weekday));
  return new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" }).format(day);
}

/** Of a month from 1 to 12. */
export const monthName = (month) => new Intl.DateTimeFormat(language,
  { month: "long", timeZone: "UTC" }).format(Date.UTC(2024, month - 1, 1));

/** A weekday or a group of them. */
export const groupName = (group) =>
  weekdays.includes(group) ? weekdayName(group) : t(`group.${group}`);

const listed = (names) => new Intl.ListFormat(language, { type: "conjunction" }).format(names);

/** The rule of a series in one line (R90 to R94). */
export function ruleWords(rule) {
  const { kind, every: count = 1 } = rule;
  if (kind === "once") return t("rule.once");
  if (kind === "days") {
    const days = t("rule.days", { count });
    return rule.times > 1
      ? `${days}, ${t("rule.times", { count: rule.times, hours: rule.hoursApart })}` : days;
  }
  if (kind === "weeks") {
    return t("rule.weeks", { count, days: listed(weekdays
      .filter((day) => rule.weekdays.includes(day)).map(weekdayName)) });
  }
  const day = rule.ordinal
    ? t("rule.ordinal", { which: t(`ordinal.${rule.ordinal}`), what: groupName(rule.weekday) })
    : t("rule.day", { day: rule.day });
  if (kind === "months") return t("rule.months", { count, day });
  return t("rule.years", { count, day, months: listed(rule.months.map(monthName)) });
}

/** Minutes as people say them: "20 minutes", "2 hours", "1 week". */
export function span(minutes) {
  const [unit, size] = [["week", 10_080], ["day", 1_440], ["hour", 60]]
    .find(([, size]) => minutes >= size && minutes % size === 0) ?? ["minute", 1];
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" })
    .format(minutes / size);
}
