/** What protection lacks (R57), which the core says in English: in the reader's words. */

import { hasText, language, t } from "../texts.js";

const names = [
  [/^a full name/, "name"], [/^a mobile number/, "mobile"], [/served$/, "served"],
  [/^a country/, "country"], [/^leave to use positions/, "mayLocate"],
];

/** As one list; what this page does not know stands as the core says it. */
export function lackOf(missing) {
  return new Intl.ListFormat(language).format(missing.map((one) => {
    const name = `missing.${names.find(([pattern]) => pattern.test(one))?.[1]}`;
    return hasText(name) ? t(name) : one;
  }));
}
