/** The account's data as fields (R5, R57), for set-up and settings. */

import { h } from "../dom.js";
import { inOrder, language, t } from "../texts.js";
import { field } from "./forms.js";

const languages = [
  "ar", "bg", "cs", "da", "de", "el", "en", "es", "et", "fi", "fr", "ga", "he", "hi", "hr", "hu",
  "it", "ja", "ko", "lt", "lv", "mt", "nb", "nl", "pl", "pt", "ro", "ru", "sk", "sl", "sv", "tr",
  "uk", "zh",
];

/** What the browser knows of who sits before it (R57): nothing is guessed. */
export function fromBrowser() {
  const locale = new Intl.Locale(navigator.language);
  return {
    language: navigator.language,
    country: locale.region?.length === 2 ? locale.region : "",
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    possessive: t("profile.possessive.default"),
    mayLocate: false,
  };
}

/**
 * Fields for these values. `changes()` is what differs from them, `all()` what is filled in,
 * `keep()` takes what stands there as the values from now on.
 */
export function profile(values) {
  const line = (name, attributes) => field({
    name, label: t(`profile.${name}`), hint: attributes.hint,
    input: h("input", { ...attributes, hint: null, value: values[name] ?? "" }),
  });
  const choice = (name, options, hint = null) => field({
    name, label: t(`profile.${name}`), hint,
    input: h("select", {}, options.map(([value, text]) =>
      h("option", { value, selected: value === (values[name] ?? "") }, text))),
  });
  const fields = [
    line("name", { type: "text", autocomplete: "name", required: true }),
    line("email", { type: "email", autocomplete: "email", required: true }),
    line("mobile", {
      type: "tel", autocomplete: "tel", required: true, hint: t("profile.mobile.hint"),
    }),
    choice("country", withPresent(values.country, [["", t("profile.country.none")],
      ...countries()])),
    choice("language", named("language", withLanguage(values.language))),
    choice("zone", withPresent(values.zone, zones())),
    choice("possessive", withPresent(values.possessive, t("profile.possessives").split(" ")
      .map((word) => [word, word])), t("profile.possessive.hint")),
    field({
      name: "mayLocate", label: t("profile.mayLocate"), hint: t("profile.mayLocate.hint"),
      input: h("input", { type: "checkbox" }),
    }),
  ];
  // R37: an account that is there has it; a new one begins with what is usual.
  if (values.messageEvery !== undefined) {
    fields.splice(-1, 0, line("messageEvery", {
      type: "number", min: 1, max: 60, step: 1, required: true,
      hint: t("profile.messageEvery.hint"),
    }));
  }
  const read = () => Object.fromEntries(fields.map(({ name, input }) => [name, written(input)]));
  fields.at(-1).input.checked = values.mayLocate === true;
  let present = read();
  return {
    fields,
    all: () => Object.fromEntries(Object.entries(read()).filter(([, value]) => value !== "")),
    changes: () => Object.fromEntries(
      Object.entries(read()).filter(([name, value]) => value !== present[name])),
    keep() { present = read(); },
  };
}

/** As the API takes it; the core understands numbers as people write them (R123). */
function written({ type, checked, value }) {
  if (type === "checkbox") return checked;
  if (type === "number") return Number(value);
  return value.trim();
}

/** A value that no list has, as another way of writing may have set it, is no reason to lose it. */
function withPresent(value, options) {
  if (!value || options.some(([one]) => one === value)) return options;
  return [[value, value], ...options];
}

/** The account's language as it is written, as "en-GB", beside those of the list. */
function withLanguage(value) {
  return !value || languages.includes(value) ? languages : [...languages, value];
}

export function named(type, codes) {
  const names = new Intl.DisplayNames(language, { type });
  const name = (code) => {
    try {
      return `${names.of(code)} (${code})`;
    } catch {
      // The core takes what has the shape of a tag; the browser knows which there are.
      return code;
    }
  };
  return codes.map((code) => [code, name(code)])
    .sort((a, b) => inOrder(a[1], b[1]));
}

/** The countries of ISO 3166 that the browser has a name for. */
function countries() {
  const names = new Intl.DisplayNames(language, { type: "region", fallback: "none" });
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const isNone = /^(EU|EZ|UN|QO|ZZ|XA|XB|AC|CP|CQ|DG|EA|IC|TA)$/;
  const codes = letters.flatMap((a) => letters.map((b) => a + b)).filter((code) =>
    !isNone.test(code) && names.of(code) && new Intl.Locale(`und-${code}`).region === code);
  return named("region", codes);
}

function zones() {
  return ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")]
    .map((zone) => [zone, zone.replaceAll("_", " ")]);
}
