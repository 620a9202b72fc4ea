/** The account's data (R19): Save is off until something changes, and again once it is saved. */

import { h, setText } from "../../dom.js";
import { api } from "../../api.js";
import { follow } from "../../model.js";
import { hasText, t } from "../../texts.js";
import { action, form, setOff } from "../forms.js";
import { confirmationMail } from "../pin.js";
import { profile } from "../profile.js";
import { keepSafe } from "../unsaved.js";

/** The card with the account's form. */
export function accountPart({ model, account, hold, signal }) {
  const made = profile(account);
  const said = h("p", { class: "visually-hidden", role: "status" });
  const mail = h("p", { class: "said", role: "status" });
  let present = account.email;

  const resend = action({
    label: t("confirmation.resend"), refused: (text) => setText(mail, text),
    async work() {
      setText(mail, await confirmationMail(present));
      await tellConfirmation();
    },
  });
  const unconfirmed = h("div", { class: "unconfirmed" },
    h("p", { class: "warning" }), resend);
  made.fields.find((one) => one.name === "email").element.append(unconfirmed, mail);

  const saving = form({
    fields: made.fields,
    label: t("settings.save"),
    isReady: () => Object.keys(made.changes()).length > 0,
    async send() {
      const changes = made.changes();
      try {
        await api.patch("/v1/account", { ...changes, pin: hold.pin });
      } catch (problem) {
        // It was right when the settings were opened: it has been changed elsewhere.
        if (problem.code !== "wrongPIN") throw problem;
        hold.lock(t("settings.pinChanged"));
        return false;
      }
      made.keep();
      setText(saving.button, t("settings.saved"));
      setText(said, t("settings.saved"));
      setOff(saving.button, true);
      if (changes.email) {
        present = changes.email;
        // What was saved is saved, however long a mail takes.
        confirmationMail(present).then((words) => {
          setText(mail, words);
          tellConfirmation();
        });
      }
      await model.refresh();
    },
  });
  keepSafe({
    signal, hasChanges: () => Object.keys(made.changes()).length > 0,
    save: saving.submit, discard: made.keep,
  });
  saving.element.addEventListener("input", () => {
    setText(saving.button, t("settings.save"));
    setText(said, "");
  });
  saving.element.append(said);

  /** Only what is so is said of a mail: that none can come, or that one was sent (R12). */
  async function tellConfirmation() {
    let now;
    try {
      now = await api.get("/v1/account");
    } catch {
      // What stands there was so when it was asked last.
      return;
    }
    const { confirmation, email } = now;
    present = email;
    unconfirmed.hidden = confirmation === "confirmed";
    setText(unconfirmed.firstElementChild, hasText(`confirmation.${confirmation}`)
      ? t(`confirmation.${confirmation}`, { email }) : t("confirmation.needed", { email }));
    resend.hidden = ["noMail", "noAddress"].includes(confirmation);
  }
  let isConfirmed = null;
  follow(model, ["status"], signal, () => {
    const { isEmailConfirmed } = model.status.account;
    if (isEmailConfirmed !== isConfirmed) tellConfirmation();
    isConfirmed = isEmailConfirmed;
  });
  return h("section", { class: "card" }, h("h2", {}, t("settings.account")), saving.element);
}
