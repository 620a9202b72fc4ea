/** "Is this you?": the keychain is an account's already (R4, R11, R22). */

import { ask, h, setText } from "../../dom.js";
import { api } from "../../api.js";
import { t } from "../../texts.js";
import { askPIN } from "../pinpad.js";
import { action } from "../forms.js";
import { forgotPIN } from "../forgot.js";
import { ownerOf } from "./standing.js";

export const owner = {
  title: "setup.owner.title",
  holds: (account) => account.exists && !account.isLoggedIn,

  show(place, { model, memory, signal, go }) {
    const text = h("p", {}, t("setup.owner.asking"));
    const refused = h("p", { class: "error general", role: "alert" });
    const refuse = (words) => setText(refused, words);
    let masked = "";
    ownerOf(memory.device).then((answer) => {
      if (signal.aborted) return;
      if (!answer) return go("start");
      masked = answer;
      setText(text, t("setup.owner.text", { owner: masked }));
    });

    // The address is asked of the core and sent back to it; nobody sees more of it than R11 allows.
    const enter = action({
      label: t("pin.enter"), kind: "main", refused: refuse,
      async work() {
        const { email } = await api.get("/v1/account");
        const isIn = await askPIN({
          title: t("setup.owner.pin", { owner: masked }), signal, canForget: true,
          submit: (pin) => api.post("/v1/account/login", { email, pin }),
        });
        if (isIn) await model.refresh();
      },
    });
    const notMe = action({
      label: t("setup.owner.notYou"), refused: refuse,
      async work() {
        const wish = await ask({
          title: t("setup.owner.notYou"), text: t("setup.owner.one", { owner: masked }),
          buttons: [
            { label: t("button.cancel") },
            { label: t("setup.owner.back"), value: "start", kind: "main" },
          ],
        });
        if (wish !== "start") return;
        memory.isBackAtStart = true;
        memory.device = null;
        go("start");
      },
    });
    const forgot = action({ label: t("forgot.title"), work: forgotPIN, refused: refuse });
    place.append(text, refused, h("div", { class: "buttons" }, enter, notMe, forgot));
  },
};
