/** The alarm that a review looks back on, folded: nobody has to remember its times. */

import { h, setText } from "../../dom.js";
import { api } from "../../api.js";
import { t } from "../../texts.js";
import { problemText } from "../forms.js";
import { attempts } from "../history/attempts.js";
import { facts } from "../history/incident.js";
import { contactNames } from "../history/names.js";

/** Its document is read when it is opened. */
export function alarmFacts({ incident, model, signal }) {
  const place = h("div", {});
  const refused = h("p", { class: "error general", role: "alert" });
  const details = h("details", { class: "card facts", on: { toggle: read } },
    h("summary", {}, t("review.facts")), refused, place);

  async function read() {
    if (!details.open) return;
    try {
      const names = contactNames();
      const [document, known] = await Promise.all([api.get(`/v1/incidents/${incident}`), names]);
      if (signal.aborted) return;
      setText(refused, "");
      place.replaceChildren(
        h("dl", { class: "terms" }, facts(document.incident, names, model.status)),
        ...attempts(document, known));
    } catch (problem) {
      setText(refused, problemText(problem));
    }
  }
  return details;
}
