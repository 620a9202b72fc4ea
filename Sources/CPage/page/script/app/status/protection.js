/**
 * "Not protecting" and "protecting, nothing happened" are told apart (R48). Stopping needs the PIN.
 */

import { api } from "../../api.js";
import { h, onPress, setText } from "../../dom.js";
import { follow } from "../../model.js";
import { refusal, t } from "../../texts.js";
import { withPIN } from "../pin.js";

/** The card of protection, and how many are told (R18). */
export function protection(model, signal) {
  const heading = h("h2", { id: "protection", class: "reading" });
  const means = h("p", { class: "reading" });
  const contacts = h("p", { class: "reading" });
  const error = h("p", { class: "error", role: "alert" });
  const button = h("button", { type: "button" });
  const row = h("div", { class: "buttons" }, button);

  onPress(button, async () => {
    setText(error, "");
    try {
      if (!model.status.account.isProtecting) await api.put("/v1/protection");
      else await withPIN({
        model, signal, title: t("pin.enter"), send: (pin) => api.delete("/v1/protection", { pin }),
      });
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
    // Where it is the one thing to do, the panel above has the button.
    row.hidden = ["notProtecting", "checkInsRaiseNothing"].includes(model.status.concerns[0]);
    setText(contacts, t("protection.contacts", { count }));
  });
  return h("section", { class: "card", "aria-labelledby": "protection" },
    heading, means,
    h("div", { class: "how-many" }, contacts, h("a", { href: "#/contacts" }, t("contacts.title"))),
    row, error);
}
