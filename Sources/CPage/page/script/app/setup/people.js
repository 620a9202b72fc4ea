/** Who is told; nobody need be, but then the page says what that means (R14). */

import { ask, h } from "../../dom.js";
import { t } from "../../texts.js";
import { contactList } from "../contacts/list.js";

export const people = {
  title: "setup.people.title",
  holds: (account) => account.exists && account.isLoggedIn && account.hasPIN,

  show(place, { model, signal, go }) {
    const list = contactList({ model, signal });
    async function goOn() {
      if (list.total() > 0) return go("finish");
      const wish = await ask({
        title: t("setup.people.none"), text: t("setup.people.none.text"),
        buttons: [
          { label: t("setup.people.add") },
          { label: t("setup.people.skip"), value: "skip", kind: "danger" },
        ],
      });
      if (wish === "skip" && !signal.aborted) go("finish");
    }
    place.append(
      h("p", {}, t("setup.people.text")), list.element,
      h("div", { class: "buttons" },
        h("button", { type: "button", class: "main", on: { click: goOn } }, t("button.continue"))));
  },
};
