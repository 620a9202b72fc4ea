/**
 * Pairing of a keychain, and what came of it: by the code on its label, wherever it is plugged in, or
 * where the core is by its button: it takes a key from whoever holds it in the hand.
 */

import { ask, h, setText } from "../dom.js";
import { api } from "../api.js";
import { t } from "../texts.js";
import { action, field, form } from "./forms.js";

const steps = ["unplug", "hold", "plug", "pair"];

/** Whether pairing is to be offered for a keychain of the status. */
export const isToBePaired = ({ isLinked, isPaired }) => isLinked && !isPaired;

/**
 * Offers both ways; of a keychain at a bridge on another host the first alone. Resolves to whether the keychain is paired; throws where the PIN is wrong,
 * which is for another place to ask for. `pin` is undefined where none is needed.
 */
export async function pairKeychain({ device, isRemote, pin }) {
  let isPaired = false;
  let wrong = null;
  let close = () => {};
  async function put(body) {
    try {
      await api.put(`/v1/devices/${device}/pairing`, { pin, ...body });
      isPaired = true;
    } catch (problem) {
      if (problem.code !== "wrongPIN") throw problem;
      wrong = problem;
    }
    close();
  }
  const content = h("div", {}, byLabel(put), isRemote ? null : byButton(put));
  close = () => content.closest("dialog")?.close();
  await ask({
    title: t("pairing.title"), text: t("pairing.text"), content,
    buttons: [{ label: t("button.cancel") }],
  });
  if (wrong) throw wrong;
  return isPaired;
}

/** The code that its label tells; what is wrong with it stands at its field. */
function byLabel(put) {
  const code = field({
    name: "label", label: t("pairing.label.code"), hint: t("pairing.label.hint"),
    input: h("input", {
      type: "text", class: "figures", autocomplete: "off", autocapitalize: "characters",
      spellcheck: "false", maxlength: 200,
    }),
  });
  const typed = form({
    fields: [code], label: t("pairing.label.do"),
    places: { labelOfAnother: "label", keyNotProved: "label" },
    isReady: () => code.input.value.trim() !== "",
    send: () => put({ label: code.input.value }),
  });
  typed.update();
  return h("section", {}, h("h3", {}, t("pairing.label.title")), typed.element);
}

/** The steps at the keychain. */
function byButton(put) {
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
      await put({});
    },
  });
  return h("section", {}, h("h3", {}, t("pairing.button.title")),
    h("p", {}, t("pairing.button.text")),
    h("ol", {}, steps.map((step) => h("li", {}, t(`pairing.step.${step}`)))), refused, said,
    h("div", { class: "buttons" }, pair));
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
