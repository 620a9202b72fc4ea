/** What the light says, in words (R3, R35 to R47). */

import { hasText, t } from "../texts.js";

/** A `ShownState` in one word; one that this version does not know is "unknown". */
export function wordOfShown(shown) { return t(textOf(shown)); }

/** As a person is told it: the word, and what it means. */
export function nameOfShown(shown) {
  return t("light.says", { word: wordOfShown(shown), meaning: t(`${textOf(shown)}.means`) });
}

function textOf(shown) {
  const name = `light.${shown}`;
  return hasText(name) ? name : "light.unknown";
}
