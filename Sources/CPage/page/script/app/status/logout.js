/** R20: to log out asks first, warns that the alarm then tells nobody, and needs the PIN (R119). */

import { api } from "../../api.js";
import { ask, h, onPress, setText } from "../../dom.js";
import { refusal, t } from "../../texts.js";
import { withPIN } from "../pin.js";

/** The button that logs the account out. */
export function logout(model, signal) {
  const error = h("p", { class: "error", role: "alert" });
  const button = h("button", { type: "button", id: "logout" }, t("logout.button"));
  onPress(button, async () => {
    const answer = await ask({
      title: t("logout.title"),
      text: t("logout.warning"),
      buttons: [
        { label: t("button.cancel"), value: "" },
        { label: t("logout.confirm"), value: "logout", kind: "danger" },
      ],
    });
    if (answer !== "logout") return;
    setText(error, "");
    try {
      await withPIN({
        model, signal, title: t("pin.enter"),
        send: (pin) => api.post("/v1/account/logout", { pin }),
      });
    } catch (problem) {
      setText(error, refusal(problem));
    }
    await model.refresh();
  });
  return h("section", { class: "session" }, button, error);
}
