/** The last alarm may be looked back on, until that is begun or put off (R80). */

import { h, setText } from "../../dom.js";
import { api } from "../../api.js";
import { dueTime } from "../../clock.js";
import { t } from "../../texts.js";
import { action } from "../forms.js";

/** The card, there while an alarm is offered, and when that is known. */
export function lookBack(model, signal) {
  const title = h("h2", { id: "look-back-title" });
  const begin = h("a", { class: "button main" }, t("lookBack.begin"));
  const refused = h("p", { class: "error general", role: "alert" });
  const element = h("section", {
    class: "card", "aria-labelledby": "look-back-title", hidden: true,
  }, title, h("p", {}, t("lookBack.text")), refused,
    h("div", { class: "buttons" }, begin, action({
      label: t("lookBack.notNow"), refused: (text) => setText(refused, text),
      async work() {
        await api.delete("/v1/reviews/offer");
        element.hidden = true;
      },
    })));

  async function ask() {
    let offer;
    try {
      offer = await api.get("/v1/reviews/offer");
    } catch {
      // It is asked for again at the next line about it.
      return;
    }
    if (signal.aborted) return;
    element.hidden = !offer.incident;
    if (!offer.incident) return;
    setText(title, t("lookBack.title", { at: dueTime(offer.openedAt, model.status) }));
    begin.href = `#/review/of/${offer.incident}`;
  }
  model.addEventListener("line", ({ detail: { name } }) => {
    if (/^(resumed|review)/.test(name)) ask();
  }, { signal });
  return { element, ready: ask() };
}
