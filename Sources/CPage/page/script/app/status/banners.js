/** What the owner should know before anything happens (R12, R14), the worst of it first. */

import { api } from "../../api.js";
import { h, keyed, onPress, setText } from "../../dom.js";
import { follow } from "../../model.js";
import { refusal, t } from "../../texts.js";
import { icon } from "./lines.js";

/** Banners that come and go with what is true. */
export function banners(model, signal) {
  const storage = storageBanner();
  const warnings = h("ul", { class: "warnings" });
  const confirm = confirmation();
  const show = () => {
    storage.show(model.status.storageFailure);
    confirm.hidden = model.status.account.isEmailConfirmed;
    keyed(warnings, model.status.warnings, (text) => text,
      (text) => h("li", { class: "reading" }, icon("warning"), h("span", {}, sentence(text))));
    warnings.hidden = model.status.warnings.length === 0;
  };
  follow(model, ["status"], signal, show);
  return h("div", { class: "banners" }, storage.element, warnings, confirm);
}

/** Shouts that nothing can be stored; also seen during an alarm. */
export function storageBanner() {
  const reason = h("p", {});
  const attributes = { class: "shout", role: "alert", hidden: true, id: "storage-failure" };
  const element = h("section", attributes,
    h("h2", {}, t("status.storage")), h("p", {}, t("status.storageMeans")), reason);
  return {
    element,
    show(failure) {
      setText(reason, failure ?? "");
      element.hidden = !failure;
    },
  };
}

/** R12: the banner stays until the address is confirmed. */
function confirmation() {
  const said = h("p", { role: "status", class: "said" });
  const resend = h("button", { type: "button" }, t("status.resend"));
  onPress(resend, async () => {
    setText(said, t("status.resending"));
    try {
      await api.post("/v1/account/confirmation");
      setText(said, t("status.resent"));
    } catch (problem) {
      setText(said, refusal(problem));
    }
  });
  const attributes = { class: "card notice", id: "confirm-email" };
  return h("section", { ...attributes, "aria-labelledby": "confirm-title" },
    h("div", {}, h("h2", { id: "confirm-title" }, t("status.confirm")),
      h("p", {}, t("status.confirmWhy")), said),
    h("div", { class: "buttons" }, resend,
      h("a", { class: "button", href: "#/settings" }, t("status.changeEmail"))));
}

/** The core writes a warning as a clause; here it stands alone. */
function sentence(text) { return `${text[0].toUpperCase()}${text.slice(1)}.`; }
