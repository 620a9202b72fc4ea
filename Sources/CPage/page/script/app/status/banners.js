/** What shouts above all views, and the way to a confirmed address (R12, R14). */

import { api } from "../../api.js";
import { h, onPress, setText } from "../../dom.js";
import { t } from "../../texts.js";
import { problemText } from "../forms.js";

/** Shouts that nothing can be stored; also seen during an alarm. */
export function storageBanner() {
  const reason = h("p", {});
  const attributes = { class: "shout whole", role: "alert", hidden: true, id: "storage-failure" };
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

/**
 * R12: to mail the link again, and to change the address. That a mail is on its way is said once
 * the core has handed it over.
 */
export function confirmation() {
  const said = h("p", { role: "status", class: "said" });
  const resend = h("button", { type: "button", class: "main" }, t("status.resend"));
  onPress(resend, async () => {
    setText(said, t("status.resending"));
    try {
      await api.post("/v1/account/confirmation");
      setText(said, t("status.resent"));
    } catch (problem) {
      setText(said, problemText(problem));
    }
  });
  return [resend, h("a", { class: "button", href: "#/settings" }, t("status.changeEmail")), said];
}
