/** The label of an emulated keychain that has its key from the factory, for whoever scans one. */

import { h, setText } from "../dom.js";
import { api } from "../api.js";
import { t } from "../texts.js";
import { attempt, group, refusalLine } from "./controls.js";

/** It is asked for when it is opened: no other answer has a key. */
export function label() {
  const refusal = refusalLine();
  const code = h("p", { class: "figures code" });
  const picture = h("div", { class: "qr" });
  const { element } = group("label", h("p", { class: "faint" }, t("hand.label.text")), code, picture,
    refusal);
  let device = null;

  const clear = () => {
    setText(code, "");
    picture.replaceChildren();
  };
  element.addEventListener("toggle", () => attempt(refusal, async () => {
    clear();
    if (!element.open) return;
    const asked = device;
    const answer = await api.get(`/v1/bench/keychains/${asked}/label`);
    if (asked !== device || !element.open) return;
    setText(code, answer.text);
    const image = document.importNode(
      new DOMParser().parseFromString(answer.svg, "image/svg+xml").documentElement, true);
    image.setAttribute("role", "img");
    image.setAttribute("aria-label", t("hand.label.qr"));
    picture.replaceChildren(image);
  }));
  return {
    element,
    /** Shows it of a keychain that has one. */
    of(keychain) {
      element.hidden = !keychain.hasLabel;
      if (keychain.device === device) return;
      device = keychain.device;
      element.open = false;
      clear();
    },
  };
}
