/** The PIN: it ends alarms, and opens the account (R6, R7). */

import { h, setText } from "../../dom.js";
import { t } from "../../texts.js";
import { action } from "../forms.js";
import { choosePIN } from "../pin.js";

export const pin = {
  title: "setup.pin.title",
  holds: (account) => account.exists && account.isLoggedIn && !account.hasPIN,

  show(place, { model, memory, signal }) {
    const mail = h("p", { role: "status" });
    const refused = h("p", { class: "error general", role: "alert" });
    const choose = action({
      label: t("setup.pin.choose"), kind: "main", refused: (words) => setText(refused, words),
      async work() {
        if (await choosePIN({ signal }) !== null) await model.refresh();
      },
    });
    memory.mail?.then((words) => setText(mail, words));
    place.append(mail, h("p", {}, t("setup.pin.text")), refused,
      h("div", { class: "buttons" }, choose));
  },
};
