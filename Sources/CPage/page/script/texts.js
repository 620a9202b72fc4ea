/** Texts by name, in the reader's language; numbers and times as they are written there. */

/** The languages that there are texts in; each has the same parts, in a folder of its own. */
export const languages = ["en"];

const language = navigator.languages.find((tag) => languages.includes(base(tag))) ?? "en";
const table = await read(base(language));
const plurals = new Intl.PluralRules(language);

document.documentElement.lang = base(language);

function base(tag) { return tag.split("-")[0].toLowerCase(); }

/** What this document names of a language's parts: no other part is fetched, nor language. */
async function read(folder) {
  const parts = document.documentElement.dataset.texts.split(" ");
  const read = await Promise.all(parts.map((part) => import(`./texts/${folder}/${part}.js`)));
  return Object.assign({}, ...read.map((module) => module.default));
}

/** The text of that name; `{name}` in it is replaced by that value. */
export function t(name, values = {}) {
  const text = table[name];
  if (text === undefined) throw new Error(`no text ${name}`);
  const isOne = typeof text === "string";
  return fillIn(isOne ? text : text[plurals.select(values.count)] ?? text.other, values);
}

/** Whether there is such a text: for names that the core may add to. */
export function hasText(name) { return name in table; }

function fillIn(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, key) => key in values ? String(values[key]) : whole);
}

const clock = new Intl.DateTimeFormat(language,
  { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const preciseClock = new Intl.DateTimeFormat(language, {
  hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3,
  hourCycle: "h23",
});
const dateAndTime = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" });
const decimal = new Intl.NumberFormat(language);

/** µs since 1970, as local time of day. */
export const timeOfDay = (wall) => clock.format(new Date(wall / 1000));
/** The same to the millisecond. */
export const preciseTimeOfDay = (wall) => preciseClock.format(new Date(wall / 1000));
/** µs since 1970, as local date and time. */
export const moment = (wall) => dateAndTime.format(new Date(wall / 1000));
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
  if (seconds < 60) return t("ago.seconds", { count: seconds });
  if (seconds < 3600) return t("ago.minutes", { count: Math.floor(seconds / 60) });
  return t("ago.hours", { count: Math.floor(seconds / 3600) });
}

/** Why something was refused, for a person: in the reader's words where there are some. */
export function refusal({ code, message }) {
  return hasText(`problem.${code}`)
    ? t(`problem.${code}`) : message.charAt(0).toUpperCase() + message.slice(1);
}
