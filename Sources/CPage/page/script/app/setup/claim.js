/** The account takes the keychain that was found (R4). */

import { h, setText } from "../../dom.js";
import { api } from "../../api.js";
import { t } from "../../texts.js";
import { action } from "../forms.js";

export const claim = {
  title: "setup.claim.title",
  holds: (account) => account.exists && account.isLoggedIn,

  show(place, { model, memory, next }) {
    const text = h("p", { role: "status" });
    const refused = h("p", { class: "error general", role: "alert" });
    const again = action({
      label: t("button.tryAgain"), kind: "main", refused: (words) => setText(refused, words),
      async work() {
        setText(text, t("setup.claim.text", { device: memory.device }));
        try {
          await api.put(`/v1/devices/${memory.device}/claim`);
        } catch (problem) {
          if (problem.code !== "unchanged") throw problem;
        }
        memory.device = null;
        await model.refresh();
        next();
      },
    });
    const cancel = h("button", { type: "button" }, t("setup.claim.later"));
    cancel.addEventListener("click", () => {
      memory.device = null;
      memory.isWithoutKeychain = true;
      next();
    });
    place.append(text, refused, h("div", { class: "buttons" }, again, cancel));
    again.click();
  },
};
