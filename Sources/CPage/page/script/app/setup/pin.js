/** The PIN: it ends alarms, and opens the account (R6, R7). */

import { h, setText } from "../../dom.js";
import { follow } from "../../model.js";
import { t } from "../../texts.js";
import { action } from "../forms.js";
import { isToBePaired, pairKeychain } from "../pairing.js";
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
      h("div", { class: "buttons" }, choose), pairing(model, signal));
  },
};

/** The keychain that was just connected can be paired at once, or at any time in the settings. */
function pairing(model, signal) {
  const refused = h("p", { class: "error general", role: "alert" });
  const said = h("p", { role: "status" });
  const toBePaired = () => model.status.devices.find((one) => one.isOwned && isToBePaired(one));
  const pair = action({
    label: t("pairing.begin"), refused: (words) => setText(refused, words),
    async work() {
      const { device, isRemote } = toBePaired() ?? {};
      if (!device || !await pairKeychain({ device, isRemote })) return;
      await model.refresh();
      setText(said, t("pairing.done", { device }));
    },
  });
  const offer = h("div", {}, h("p", {}, t("pairing.offer")),
    h("div", { class: "buttons" }, pair));
  follow(model, ["status"], signal, () => { offer.hidden = !toBePaired(); });
  return h("div", {}, offer, refused, said);
}
