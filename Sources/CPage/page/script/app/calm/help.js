/** The help text of a card, as it was shipped, and beside it the number to call (R78). */

import { h, setText } from "../../dom.js";
import { api } from "../../api.js";
import { spoken } from "../../language.js";
import { follow } from "../../model.js";
import { t } from "../../texts.js";
import { emergency, worksFrom } from "../emergency.js";
import { problemText } from "../forms.js";

/** Folded; the text is read when it is opened. */
export function helpPart(name, { model, signal }) {
  const refused = h("p", { class: "error", role: "alert" });
  const text = h("p", { class: "help-text" });
  const call = h("a", { class: "button" });
  const works = h("p", { class: "faint" });
  const details = h("details", { class: "help", on: { toggle: read } },
    h("summary", {}, t("calm.help", { title: t(`${name}.title`) })),
    refused, text, call, works);

  async function read() {
    if (!details.open || text.textContent) return;
    try {
      setText(text, await api.text(`/page/help/${spoken()}/${name}.txt`));
      setText(refused, "");
    } catch (problem) {
      setText(refused, problemText(problem));
    }
  }
  follow(model, ["status"], signal, () => {
    const now = emergency(model.status);
    call.href = `tel:${now.number}`;
    setText(call, t("messages.call", now));
    setText(works, worksFrom(now));
  });
  return details;
}
