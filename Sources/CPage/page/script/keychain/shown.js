/** What the light says, in words (R3, R35 to R47). */

import { hasText, t } from "../texts.js";

/** A `ShownState` by name, as a person says it; null for one that this version does not know. */
export function nameOfShown(shown) {
  const name = `light.${shown}`;
  return t(hasText(name) ? name : "light.unknown");
}
