/** Fields that more than one editor of check-ins has. */

import { h } from "../../dom.js";
import { t } from "../../texts.js";
import { field } from "../forms.js";
import { span } from "./words.js";

const [hour, day, week] = [60, 1_440, 10_080];
/** Minutes, from none to four weeks (R96). */
const leads = [
  0, 1, 2, 5, 10, 15, 20, 30, 45, hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, day, 2 * day,
  3 * day, week, 2 * week, 3 * week, 4 * week,
];

/** How long before it falls due it can be answered; one that a program has set is there, too. */
export function leadField(present) {
  const choices = [...new Set([...leads, present])].sort((a, b) => a - b);
  return field({
    name: "lead", label: t("editor.lead"), hint: t("editor.lead.hint"),
    input: h("select", {}, choices.map((minutes) =>
      h("option", { value: minutes, selected: minutes === present }, span(minutes)))),
  });
}

/** A whole number between two others. */
export function numberField({ name, label, hint = null, least, most, value }) {
  return field({
    name, label, hint,
    input: h("input", { type: "number", min: least, max: most, step: 1, required: true, value }),
  });
}

/** A choice of `[value, text]`. */
export function choiceField({ name, label, hint = null, options, value }) {
  return field({
    name, label, hint,
    input: h("select", {}, options.map(([one, text]) =>
      h("option", { value: one, selected: one === value }, text))),
  });
}
