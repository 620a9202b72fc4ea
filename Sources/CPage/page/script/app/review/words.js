/** The steps of a review in words: a standard one in the reader's language. */

import { hasText, t } from "../../texts.js";

/** `part` is label, question or info. */
export function stepWords(step, part) {
  const name = `review.step.${step.key}.${part}`;
  return step.isStandard && hasText(name) ? t(name) : step[part];
}
