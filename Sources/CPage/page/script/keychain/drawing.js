/** The keychain as it looks: a ring, a case, a light, a battery mark, and a big round button. */

import { h, svg } from "../dom.js";
import { t } from "../texts.js";

/** The drawing, its parts that move, and the real button that lies over the drawn one. */
export function drawing() {
  const charge = svg("rect", { class: "charge", x: 91, y: 127, width: 18, height: 7, rx: 1 });
  const glow = svg("circle", { class: "glow", cx: 100, cy: 152, r: 13 });
  const led = svg("circle", { class: "led", cx: 100, cy: 152, r: 6 });
  const button = svg("g", { class: "knob" },
    svg("circle", { class: "well", cx: 100, cy: 226, r: 49 }),
    svg("circle", { class: "cap", cx: 100, cy: 226, r: 43 }),
    svg("path", { class: "shine", d: "M68 212a35 35 0 0 1 64 0" }),
    svg("path", { class: "sign", d: "M100 206v26M100 242v4" }));
  const picture = svg("svg",
    { viewBox: "0 0 200 310", "aria-hidden": "true", focusable: "false" },
    svg("defs", {},
      gradient("case-fill", "case-light", "case-dark"),
      gradient("cap-fill", "cap-light", "cap-dark"),
      gradient("ring-fill", "ring-light", "ring-dark")),
    svg("circle", { class: "ring", cx: 100, cy: 48, r: 38 }),
    svg("circle", { class: "ring thin", cx: 100, cy: 48, r: 33 }),
    svg("path", { class: "strap", d: "M88 78h24v26h-24z" }),
    svg("rect", { class: "case", x: 36, y: 94, width: 128, height: 204, rx: 56 }),
    svg("rect", { class: "edge", x: 41, y: 99, width: 118, height: 194, rx: 51 }),
    svg("path", { class: "lug", d: "M82 108a18 9 0 0 1 36 0z" }),
    svg("g", { class: "battery" },
      svg("rect", { class: "cell", x: 89, y: 125, width: 22, height: 11, rx: 2.5 }),
      svg("path", { class: "pole", d: "M112 128.5v4" }),
      charge),
    glow, led, button);
  const press = h("button", { type: "button", class: "press", "aria-label": t("hand.button") });
  const element = h("div", { class: "fob", "data-light": "unknown" }, picture, press);

  return {
    element,
    press,
    setLight(state) { element.dataset.light = state; },
    setPressed(isPressed) { element.classList.toggle("pressed", isPressed); },
    setCharge(percent) {
      element.dataset.charge = percent === null ? "unknown" : percent <= 20 ? "low" : "good";
      charge.setAttribute("width", String(0.18 * (percent ?? 0)));
    },
    setPower({ isPlugged, isPowered }) {
      element.classList.toggle("unplugged", !isPlugged);
      element.classList.toggle("dead", !isPowered);
    },
  };
}

function gradient(id, top, bottom) {
  return svg("linearGradient", { id, x1: 0, y1: 0, x2: 0, y2: 1 },
    svg("stop", { class: top, offset: 0 }), svg("stop", { class: bottom, offset: 1 }));
}
