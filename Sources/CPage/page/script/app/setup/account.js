/** The account: name, mail address, mobile number, and what messages are made from (R5, R57). */

import { h } from "../../dom.js";
import { api } from "../../api.js";
import { t } from "../../texts.js";
import { form, problemText } from "../forms.js";
import { confirmationMail } from "../pin.js";
import { fromBrowser, profile } from "../profile.js";
import { isSettled, keepSafe } from "../unsaved.js";

export const account = {
  title: "setup.account.title",
  holds: (account, memory) => !account.exists || memory.isEditing,

  show(place, { model, memory, signal, go, next }) {
    const isNew = !memory.isEditing;

    function leave() {
      memory.isEditing = false;
      next();
    }

    async function save(made) {
      if (isNew) {
        const { email } = await api.post("/v1/account", made.all());
        memory.mail = confirmationMail(email);
        return model.refresh();
      }
      const changes = made.changes();
      if (Object.keys(changes).length > 0) await api.patch("/v1/account", changes);
      if (changes.email) memory.mail = confirmationMail(changes.email);
      await model.refresh();
      leave();
    }

    function show(values) {
      const made = profile(values);
      const filled = (name) =>
        made.fields.find((one) => one.name === name).input.value.trim() !== "";
      const editor = {
        hasChanges: () => Object.keys(made.changes()).length > 0,
        save: () => saving.submit(), discard: made.keep,
      };
      async function cancel() {
        if (editor.hasChanges() && !await isSettled(editor)) return;
        // What was saved has moved on by itself.
        if (!signal.aborted) isNew ? go("start") : leave();
      }
      const saving = form({
        fields: made.fields,
        label: t("button.continue"),
        isReady: () => ["name", "email", "mobile"].every(filled),
        others: h("button", { type: "button", on: { click: cancel } }, t("button.cancel")),
        send: () => save(made),
      });
      keepSafe({ signal, ...editor });
      place.append(h("p", {}, t("setup.account.text")), saving.element);
    }

    if (isNew) return show(fromBrowser());
    api.get("/v1/account").then(
      (values) => { if (!signal.aborted) show(values); },
      (problem) => place.append(h("p", { class: "error", role: "alert" }, problemText(problem))));
  },
};
