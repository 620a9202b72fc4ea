/** What an alarm was, as its owner says, also long after it is over (R61). */

import { h, setText } from "../../dom.js";
import { api } from "../../api.js";
import { t } from "../../texts.js";
import { action } from "../forms.js";

const outcomes = ["true", "false", "test"];

/** Buttons for the answers; `changed()` is called once `incident` has the one that was chosen. */
export function outcomeChoice(incident, changed) {
  const said = h("p", { class: "said", role: "status" });
  const refused = h("p", { class: "error general", role: "alert" });
  const refuse = (text) => {
    setText(refused, text);
    if (text) setText(said, "");
  };
  const buttons = outcomes.map((outcome) => action({
    label: t(`outcome.${outcome}`), refused: refuse,
    async work() {
      await api.post(`/v1/incidents/${incident.id}/survey`, { outcome });
      incident.survey = { ...incident.survey, outcome };
      mark();
      changed();
      setText(said, t("ended.kept"));
    },
  }));
  function mark() {
    buttons.forEach((button, place) => button.setAttribute(
      "aria-pressed", String(outcomes[place] === incident.survey?.outcome)));
  }
  mark();
  return h("div", { class: "outcome", role: "group", "aria-label": t("history.outcome.ask") },
    h("p", {}, t("history.outcome.ask")), h("div", { class: "buttons" }, buttons), refused, said);
}
