/** The PIN's change: the current one first, saved on the fourth digit, and confirmed (R9). */

import { ask, h, setText } from "../../dom.js";
import { t } from "../../texts.js";
import { askPIN } from "../pinpad.js";
import { action } from "../forms.js";
import { choosePIN, provePIN } from "../pin.js";

/** The card with the button. */
export function pinPart({ model, hold, signal }) {
  const refused = h("p", { class: "error general", role: "alert" });
  const { hasPIN } = model.status.account;
  const change = action({
    label: t(hasPIN ? "settings.pin.change" : "settings.pin.set"),
    refused: (text) => setText(refused, text),
    async work() {
      let current;
      if (model.status.account.hasPIN) {
        const isRight = await askPIN({
          title: t("settings.pin.current"), signal, canForget: true,
          submit: async (pin) => {
            await provePIN(pin);
            current = pin;
          },
        });
        if (!isRight) return;
      }
      const chosen = await choosePIN({ current, signal });
      if (chosen === null) return;
      hold.pin = chosen;
      await model.refresh();
      await ask({
        title: t("settings.pin.done"), text: t("settings.pin.done.text"),
        buttons: [{ label: t("button.ok"), kind: "main" }],
      });
    },
  });
  return h("section", { class: "card" }, h("h2", {}, t("settings.pin")),
    h("p", {}, t("settings.pin.text")), refused, h("div", { class: "buttons" }, change));
}
