/**
 * "Not protecting" and "protecting, nothing happened" are told apart (R48); a start says what it
 * lacks.
 */

import { api } from "../../api.js";
import { h, keyed, onPress, setText } from "../../dom.js";
import { follow } from "../../model.js";
import { refusal, t } from "../../texts.js";

/** The card of protection, and how many are told (R18). */
export function protection(model, signal) {
  const heading = h("h2", { id: "protection", class: "reading" });
  const means = h("p", { class: "reading" });
  const lacks = h("ul", {});
  const lacking = h("div", { hidden: true }, h("p", {}, t("protection.lacks")), lacks);
  const contacts = h("p", { class: "reading" });
  const error = h("p", { class: "error", role: "alert" });
  const button = h("button", { type: "button" });

  onPress(button, async () => {
    setText(error, "");
    try {
      await (model.status.account.isProtecting ? api.delete : api.put)("/v1/protection");
    } catch (problem) {
      setText(error, refusal(problem));
    }
    await model.refresh();
  });

  follow(model, ["status"], signal, () => {
    const { account, contacts: count } = model.status;
    const is = account.isProtecting;
    setText(heading, t(is ? "protection.on" : "protection.off"));
    setText(means, t(is ? "protection.onMeans" : "protection.offMeans"));
    setText(button, t(is ? "protection.stop" : "protection.start"));
    button.classList.toggle("main", !is);
    const missing = is ? [] : account.missingForProtection;
    lacking.hidden = missing.length === 0;
    keyed(lacks, missing, (text) => text, (text) => h("li", {}, text));
    setText(contacts, t("protection.contacts", { count }));
  });
  return h("section", { class: "card", "aria-labelledby": "protection" },
    heading, means, lacking,
    h("div", { class: "how-many" }, contacts, h("a", { href: "#/contacts" }, t("contacts.title"))),
    h("div", { class: "buttons" }, button), error);
}
