/** Texts by name, in the reader's language; numbers and times as they are written there. */

import { calendarDate, clockTime } from "./clock.js";
import { locale, spoken } from "./language.js";

/** By what the browser writes numbers and dates, sorts names and chooses plurals. */
export const language = locale();

const table = {};
const plurals = new Intl.PluralRules(language);

/**
 * Fetches parts of the texts, in the language spoken: what a document shows at first is named in
 * it, and a view that is fetched later awaits its own.
 */
export async function bringTexts(...parts) {
  const modules = await Promise.all(
    parts.map((part) => import(`./texts/${spoken()}/${part}.js`)));
  Object.assign(table, ...modules.map((module) => module.default));
}

await bringTexts(...document.documentElement.dataset.texts.split(" "));

document.documentElement.lang = spoken();

/**
 * The text of that name; `{name}` in it is replaced by that value. A text with a count has the
 * forms of the language's plural rules.
 */
export function t(name, values = {}) {
  const text = table[name];
  if (text === undefined) throw new Error(`no text ${name}`);
  const isOne = typeof text === "string";
  return fillIn(isOne ? text : text[plurals.select(values.count)] ?? text.other, values);
}

/** Whether there is such a text: for names that the core may add to. */
export function hasText(name) { return name in table; }

function fillIn(text, values) {
  return text.replace(/\{(\w+)\}/g,
    (whole, key) => key in values ? written(key, values[key]) : whole);
}

/** A count has the marks that the language puts between its digits; all else stands as it is. */
function written(key, value) {
  return key === "count" && typeof value === "number" ? decimal.format(value) : String(value);
}

const preciseClock = new Intl.DateTimeFormat(language, {
  hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3,
  hourCycle: "h23",
});
const decimal = new Intl.NumberFormat(language);
const past = new Intl.RelativeTimeFormat(language);

/** µs since 1970, as local time of day. */
export const timeOfDay = (wall) => clockTime(wall, { seconds: true });
/** The same to the millisecond. */
export const preciseTimeOfDay = (wall) => preciseClock.format(new Date(wall / 1000));
/** µs since 1970, as local date and time. */
export const moment = (wall) => `${calendarDate(wall)}, ${timeOfDay(wall)}`;
export const number = (value) => decimal.format(value);
/** With so many digits behind the point, as figures in a column have them. */
export const figure = (value, digits) => value.toLocaleString(language,
  { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Milliseconds as mm:ss, never below 00:00 (R37). */
export function minutesAndSeconds(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const two = (value) => String(value).padStart(2, "0");
  return `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`;
}

/** Milliseconds as "3 minutes ago". */
export function ago(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 60) return past.format(-seconds, "second");
  if (seconds < 3600) return past.format(-Math.floor(seconds / 60), "minute");
  return past.format(-Math.floor(seconds / 3600), "hour");
}

/** As people sort names: without regard to case, and by the digits' value. */
export const inOrder = new Intl.Collator(language, { numeric: true }).compare;

/**
 * Why something was refused, for a person: in the reader's words where there are some, for its
 * field or for all; else in the API's.
 */
export function refusal({ code, message, body }) {
  const field = body?.field ?? "";
  const name = [`problem.${code}.${/^\w*/.exec(field)[0]}`, `problem.${code}`].find(hasText);
  if (name) return t(name);
  const text = field && message.startsWith(`${field}: `)
    ? message.slice(field.length + 2) : message;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
