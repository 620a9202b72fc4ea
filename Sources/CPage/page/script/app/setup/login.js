/** Login with an account that is there (R13). */

import { ask, h } from "../../dom.js";
import { api, Problem } from "../../api.js";
import { t } from "../../texts.js";
import { askPIN } from "../pinpad.js";
import { action, field, form } from "../forms.js";
import { forgotPIN } from "../forgot.js";

export const login = {
  title: "setup.login.title",
  holds: (account) => !account.isLoggedIn,

  show(place, { model, signal, go }) {
    const email = field({
      name: "email", label: t("profile.email"),
      input: h("input", { type: "email", autocomplete: "email", required: true }),
    });
    const typed = () => email.input.value.trim();

    async function unknown() {
      const wish = await ask({
        title: t("setup.login.unknown"), text: t("setup.login.unknown.text", { email: typed() }),
        buttons: [
          { label: t("button.cancel") },
          { label: t("button.tryAgain"), value: "again", kind: "main" },
        ],
      });
      if (signal.aborted) return;
      if (wish !== "again") return go("start");
      email.input.value = "";
      made.update();
      email.input.focus();
    }

    const refused = (text) => { if (text) made.fail(new Problem(0, { detail: text })); };
    const made = form({
      fields: [email],
      label: t("button.continue"),
      isReady: () => typed() !== "",
      others: [
        action({ label: t("forgot.title"), work: forgotPIN, refused }),
        h("button", { type: "button", on: { click: () => go("start") } }, t("button.cancel")),
      ],
      // An address that nobody has is told here, before any digit of a PIN (R122).
      async send() {
        try {
          await api.post("/v1/account/email", { email: typed() });
          const isIn = await askPIN({
            title: t("pin.enter"), signal, canForget: true,
            submit: (pin) => api.post("/v1/account/login", { email: typed(), pin }),
          });
          if (!isIn) return;
          await model.refresh();
        } catch (problem) {
          if (problem.code !== "unknownEmail") throw problem;
          await unknown();
        }
      },
    });
    place.append(made.element);
  },
};
