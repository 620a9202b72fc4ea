/** The start: with a new keychain, or with an account that is there (R22). */

import { h } from "../../dom.js";
import { t } from "../../texts.js";

export const start = {
  title: "setup.start.title",
  holds: (account) => !account.exists || !account.isLoggedIn,

  show(place, { go }) {
    place.append(
      h("p", {}, t("setup.start.text")),
      h("div", { class: "choices" },
        h("button", { type: "button", class: "main", on: { click: () => go("search") } },
          t("setup.start.connect")),
        h("button", {
          type: "button", "aria-describedby": "setup-login-hint", on: { click: () => go("login") },
        }, t("setup.start.login")),
        h("p", { class: "hint faint", id: "setup-login-hint" }, t("setup.start.login.hint"))));
  },
};
