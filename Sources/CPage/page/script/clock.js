/**
 * How times and dates are written (R112): as the settings say, in every view; before the page knows
 * them, as the language does.
 */

import { locale } from "./language.js";

const name = "fob-time-format";
const language = locale();
/** `{ clock, dateOrder }` as the API has them, or null. */
let chosen = kept();

/** Takes what the settings of check-ins say. */
export function chooseFormat({ clock, dateOrder }) {
  chosen = { clock, dateOrder };
  try {
    localStorage.setItem(name, JSON.stringify(chosen));
  } catch {
    // This document has it.
  }
}

/** Nothing of the account stays behind. */
export function forgetFormat() {
  try {
    localStorage.removeItem(name);
  } catch {
    // There is none.
  }
}

function kept() {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

const made = new Map();

/** Where the browser does not know the zone, a time in its own is better than no page. */
function formatOf(options) {
  try {
    return new Intl.DateTimeFormat(language, options);
  } catch {
    return new Intl.DateTimeFormat(language, { ...options, timeZone: undefined });
  }
}

function format(options) {
  const key = JSON.stringify(options);
  if (!made.has(key)) made.set(key, formatOf(options));
  return made.get(key);
}

/** µs since 1970 as a time of day, in the browser's zone where none is given; `names` names it. */
export function clockTime(wall, { seconds = false, zone, names = false } = {}) {
  const is12 = chosen?.clock === "12";
  return format({
    hour: is12 ? "numeric" : "2-digit", minute: "2-digit", timeZone: zone,
    ...(seconds ? { second: "2-digit" } : {}),
    ...(names ? { timeZoneName: "short" } : {}),
    ...(chosen ? { hourCycle: is12 ? "h12" : "h23" } : {}),
  }).format(wall / 1000);
}

/** µs since 1970 as a date. */
export function calendarDate(wall, { zone } = {}) {
  if (!chosen) return format({ dateStyle: "medium", timeZone: zone }).format(wall / 1000);
  const { year, month, day } = Object.fromEntries(
    format({ year: "numeric", month: "2-digit", day: "2-digit", timeZone: zone })
      .formatToParts(wall / 1000).map(({ type, value }) => [type, value]));
  if (chosen.dateOrder === "dmy") return `${day}.${month}.${year}`;
  return chosen.dateOrder === "mdy" ? `${month}/${day}/${year}` : `${year}-${month}-${day}`;
}

/**
 * When a check-in is due, µs since 1970: in the account's zone, whose name stands there where the
 * browser's clock shows another time; of today the time alone.
 */
export function dueTime(wall, { account: { zone }, now }) {
  const [day, time] = [calendarDate(wall, { zone }), clockTime(wall, { zone })];
  const names = time !== clockTime(wall) || day !== calendarDate(wall);
  const at = names ? clockTime(wall, { zone, names }) : time;
  return day === calendarDate(now.wall, { zone }) ? at : `${day}, ${at}`;
}

/** µs since 1970 as a weekday, in short. */
export const weekdayOf = (wall, { zone } = {}) =>
  format({ weekday: "short", timeZone: zone }).format(wall / 1000);
