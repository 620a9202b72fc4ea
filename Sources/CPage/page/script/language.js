/**
 * Which language the page is in: the one chosen for this browser, else the account's, else the
 * first of the browser's that there are texts in, else English. It is fixed while a document
 * stands: a page in another language is loaded anew.
 */

/** The languages that there are texts in; each has the same parts, in a folder of its own. */
export const languages = ["en", "de", "fr", "es"];

const kept = { chosen: "fob-language", account: "fob-account-language" };

const base = (tag) => tag.split("-")[0].toLowerCase();
const isSpoken = (tag) => languages.includes(base(tag));

/** The language that this document was loaded in. */
const shown = spoken();

/** "" where nothing is chosen, and the account decides. */
export const chosenLanguage = () => read(kept.chosen);

/** The language of the texts, as "de". */
export function spoken() {
  const tags = [read(kept.chosen), read(kept.account), ...navigator.languages];
  return base(tags.find(isSpoken) ?? "en");
}

/** The tag that numbers and dates are written by: with the browser's region, where it is known. */
export function locale() {
  const folder = spoken();
  return navigator.languages.find((tag) => base(tag) === folder) ?? folder;
}

/** Takes a language for this browser; "" lets the account decide. The page is loaded anew. */
export function chooseLanguage(tag) {
  keep(kept.chosen, tag);
  location.reload();
}

/** Takes the account's language. Returns whether that makes the page another one. */
export function learnLanguage(tag) {
  keep(kept.account, isSpoken(tag) ? base(tag) : "");
  return spoken() !== shown;
}

/** Nothing of the account stays behind. */
export function forgetLanguage() {
  for (const name of Object.values(kept)) keep(name, "");
}

function read(name) {
  try {
    return localStorage.getItem(name) ?? "";
  } catch {
    // The browser keeps nothing for the page: its own language it is.
    return "";
  }
}

function keep(name, tag) {
  try {
    if (tag) localStorage.setItem(name, tag);
    else localStorage.removeItem(name);
  } catch {
    // As above.
  }
}
