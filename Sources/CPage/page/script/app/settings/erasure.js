/**
 * Deletes the account (R86): what goes and what stays is said first, a word is typed, and the PIN
 * is asked for once more.
 */

import { h } from "../../dom.js";
import { api } from "../../api.js";
import { t } from "../../texts.js";
import { field, form } from "../forms.js";
import { forgetOwner } from "../forget.js";
import { askPIN } from "../pinpad.js";

/** The card with the button, which leads to the page that asks. */
export function erasurePart({ model, signal }) {
  const content = h("div", {});
  const begin = h("button", { type: "button", on: { click: confirm } }, t("erase.begin"));

  function start() {
    content.replaceChildren(h("p", {}, t("erase.text")), h("div", { class: "buttons" }, begin));
  }

  function confirm() {
    const word = t("erase.word");
    const typed = field({
      name: "word", label: t("erase.type", { word }),
      input: h("input", { type: "text", autocomplete: "off", autocapitalize: "off" }),
    });
    const list = (title, name) => [
      h("h3", {}, title), h("ul", {}, t(name).split("; ").map((one) => h("li", {}, one))),
    ];
    const asking = form({
      fields: [typed], label: t("erase.do"), send,
      isReady: () => typed.input.value.trim().toLocaleLowerCase() === word,
      content: [
        ...list(t("erase.goes"), "erase.goes.list"),
        ...list(t("erase.stays"), "erase.stays.list"),
        typed.element,
      ],
      others: [h("button", { type: "button", on: { click: back } }, t("button.cancel"))],
      sent: forgetOwner,
    });
    asking.button.classList.replace("main", "danger");
    asking.update();
    content.replaceChildren(asking.element);
    typed.input.focus();
  }

  function back() {
    start();
    begin.focus();
  }

  async function send() {
    const erase = (pin) => api.delete("/v1/account", { pin, confirm: "delete" });
    if (!model.status.account.hasPIN) return erase();
    return askPIN({ title: t("erase.pin"), signal, submit: erase, canForget: true });
  }

  start();
  return h("section", { class: "card" }, h("h2", {}, t("erase.title")), content);
}
