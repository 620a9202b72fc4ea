/** R20: to log out asks first, and warns that the alarm then tells nobody. */

import { api } from "../../api.js";
import { ask, h, onPress, setText } from "../../dom.js";
import { refusal, t } from "../../texts.js";

/** The button that logs the account out. */
export function logout(model) {
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
      await api.post("/v1/account/logout");
    } catch (problem) {
      setText(error, refusal(problem));
    }
    await model.refresh();
  });
  return h("section", { class: "session" }, button, error);
}
