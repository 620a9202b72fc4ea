/** The end of set-up: protection begins, or the page says what it lacks (R57). */

import { h, setText } from "../../dom.js";
import { api } from "../../api.js";
import { follow } from "../../model.js";
import { t } from "../../texts.js";
import { lackOf } from "../lack.js";
import { action } from "../forms.js";

export const finish = {
  title: "setup.finish.title",
  holds: (account) => account.exists && account.isLoggedIn && account.hasPIN,

  show(place, { model, memory, signal, go }) {
    const lacking = h("p", { class: "warning" });
    const people = h("p", {});
    const unreached = h("p", { class: "warning" });
    const keychain = h("p", { class: "warning" }, t("keychain.none"));
    const refused = h("p", { class: "error general", role: "alert" });
    const start = h("input", { type: "checkbox", id: "setup-protect" });
    const done = action({
      label: t("setup.finish.done"), kind: "main", refused: (words) => setText(refused, words),
      async work() {
        if (start.checked && !model.status.account.isProtecting) await api.put("/v1/protection");
        await api.post("/v1/account/set-up/finish");
        await model.refresh();
      },
    });
    const button = (name, click) => h("button", { type: "button", on: { click } }, t(name));
    start.checked = model.status.account.missingForProtection.length === 0;
    place.append(
      h("p", {}, t("setup.finish.text")), people, unreached, keychain,
      h("div", { class: "field check" }, start,
        h("label", { for: "setup-protect" }, t("setup.finish.protect")),
        h("span", { class: "hint faint" }, t("setup.finish.protect.hint"))),
      lacking, refused,
      h("div", { class: "buttons" }, done,
        button("setup.finish.people", () => go("people")),
        button("setup.finish.account", () => {
          memory.isEditing = true;
          go("account");
        })));

    follow(model, ["status"], signal, () => {
      const { account, contacts, devices, unreachable } = model.status;
      const missing = account.missingForProtection;
      lacking.hidden = missing.length === 0;
      setText(lacking, t("setup.finish.missing", { missing: lackOf(missing) }));
      people.className = contacts === 0 ? "warning" : "";
      setText(people, contacts === 0
        ? t("contacts.none") : t("contacts.told", { count: contacts }));
      unreached.hidden = unreachable.length === 0;
      setText(unreached, t("contacts.unreached", { count: unreachable.length }));
      keychain.hidden = devices.some((one) => one.isOwned);
      start.disabled = missing.length > 0;
      if (missing.length > 0) start.checked = false;
    });
  },
};
