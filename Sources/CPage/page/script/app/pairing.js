/**
 * Pairing of a keychain that is plugged in where the core is: its steps, and what came of them.
 * The keychain takes a key from whoever holds it in the hand.
 */

import { ask, h, setText } from "../dom.js";
import { api } from "../api.js";
import { t } from "../texts.js";
import { action } from "./forms.js";

const steps = ["unplug", "hold", "plug", "pair"];

/** Whether pairing is to be offered for a keychain of the status. */
export const isToBePaired = ({ isLinked, isRemote, isPaired }) =>
  isLinked && !isRemote && !isPaired;

/**
 * Goes through the steps. Resolves to whether the keychain is paired; throws where the PIN is wrong,
 * which is for another place to ask for. `pin` is undefined where none is needed.
 */
export async function pairKeychain({ device, pin }) {
  let isPaired = false;
  let wrong = null;
  const refused = h("p", { class: "error general", role: "alert" });
  const said = h("p", { role: "status" });
  const pair = action({
    label: t("pairing.do"), kind: "main",
    refused(text) {
      setText(said, "");
      setText(refused, text);
    },
    async work() {
      setText(said, t("pairing.holding"));
      try {
        await api.put(`/v1/devices/${device}/pairing`, { pin });
        isPaired = true;
      } catch (problem) {
        if (problem.code !== "wrongPIN") throw problem;
        wrong = problem;
      }
      pair.closest("dialog")?.close();
    },
  });
  await ask({
    title: t("pairing.title"), text: t("pairing.text"),
    content: h("div", {},
      h("ol", {}, steps.map((step) => h("li", {}, t(`pairing.step.${step}`)))), refused, said,
      h("div", { class: "buttons" }, pair)),
    buttons: [{ label: t("button.cancel") }],
  });
  if (wrong) throw wrong;
  return isPaired;
}

/** Asks, and ends the pairing. Resolves to what is to be said of it; to null where it goes on. */
export async function unpairKeychain({ device, pin }) {
  const wish = await ask({
    title: t("pairing.end.ask"), text: t("pairing.end.text"),
    buttons: [
      { label: t("button.cancel") },
      { label: t("pairing.end"), value: "end", kind: "danger" },
    ],
  });
  if (wish !== "end") return null;
  const { warning } = await api.delete(`/v1/devices/${device}/pairing`, { pin });
  return t(warning ? "pairing.ended.alone" : "pairing.ended", { device });
}

/** How a keychain of the status stands with its key. */
export function pairingWords({ isLinked, isPaired, isProved }) {
  if (!isPaired) return t("pairing.none");
  return t(isLinked && !isProved ? "pairing.unproved" : "pairing.paired");
}
