/** The way in of whoever has an account and no code: its email address and its PIN. */

import { h } from "../../dom.js";
import { api } from "../../api.js";
import { keepKey } from "../../session.js";
import { t } from "../../texts.js";
import { askPIN } from "../pinpad.js";
import { field, form } from "../forms.js";

/** A part that opens; `entered()` is called once the core has let this browser in. */
export function loginByEmail({ signal, entered }) {
  const email = field({
    name: "email", label: t("login.email"),
    input: h("input", { type: "email", autocomplete: "email", required: true }),
  });
  const typed = () => email.input.value.trim();
  const made = form({
    fields: [email],
    label: t("button.continue"),
    isReady: () => typed() !== "",
    // An address that nobody has is told here, before any digit of a PIN (R122).
    async send() {
      await api.post("/v1/account/email", { email: typed() });
      const isIn = await askPIN({
        title: t("pin.enter"), signal,
        async submit(pin) {
          const { key } = await api.post("/v1/session", { email: typed(), pin });
          keepKey(key);
        },
      });
      if (isIn) await entered();
    },
  });
  return h("details", { class: "card" }, h("summary", {}, t("login.byEmail")), made.element);
}
