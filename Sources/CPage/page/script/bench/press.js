/**
 * Where the time of a press went, small, under the mouse or the focus: one bar to scale from the
 * moment the keychain has stored it, and each stage in words.
 */

import { h, svg } from "../dom.js";
import { t } from "../texts.js";
import { at } from "./latency/scale.js";
import { duration } from "./latency/figures.js";
import { rowsOfPress } from "./latency/stages.js";

/** Of so many presses the stages are kept. */
const most = 500;
const [wide, high] = [320, 16];

/** The stages of the last presses, by keychain and event, as the bench tells them. */
export class Presses {
  #known = new Map();

  constructor(feed) {
    feed.addEventListener("stages", ({ detail }) => {
      const key = `${detail.device} ${detail.event}`;
      this.#known.delete(key);
      this.#known.set(key, detail);
      if (this.#known.size > most) this.#known.delete(this.#known.keys().next().value);
    });
  }

  /** Of the press that a frame is about; null where it is about none, or not known. */
  of(row) {
    const event = row?.fields?.event_no?.text;
    return event ? this.#known.get(`${row.device} ${event}`) ?? null : null;
  }
}

/** The timeline of a press as an element. */
export function timeline(press) {
  const stages = rowsOfPress(press);
  const scaled = stages.filter((one) => !one.isUnscaled && one.value !== null);
  const whole = Math.max(1, scaled.reduce((sum, one) => sum + Math.max(0, one.value), 0));
  let start = 0;
  const bars = scaled.map((one) => {
    const from = start;
    start += Math.max(0, one.value);
    return svg("rect", {
      class: `s${stages.indexOf(one)}`, x: at(from / whole * wide), y: 0,
      width: at(Math.max(1.5, Math.max(0, one.value) / whole * wide)), height: high,
    });
  });
  const words = stages.map((one, index) => h("li", {},
    h("span", { class: `swatch s${index}`, "aria-hidden": "true" }), `${one.name} `,
    h("span", { class: "figures" },
      one.value === null ? t("latency.notSeen") : duration(one.value))));
  const clock = Number.isFinite(press.uncertainty)
    ? t("latency.last.clock", { clock: duration(press.uncertainty) }) : t("latency.last.notFitted");
  return h("div", { class: "timeline" },
    h("p", { class: "title" }, t("press.title", { event: press.event, time: sumOf(press) })),
    svg("svg", {
      viewBox: `0 0 ${wide} ${high}`, preserveAspectRatio: "none", "aria-hidden": "true",
    }, bars),
    h("ol", {}, words), h("p", { class: "faint" }, clock));
}

/** From the first edge to the last stamp that was seen, in words. */
function sumOf(press) {
  const name = ["lit", "durable", "decided"].find((stamp) => Number.isFinite(press[stamp]));
  return Number.isFinite(press.edge) && name
    ? t(`press.${name}`, { duration: duration(press[name] - press.edge) }) : t("latency.notSeen");
}

/**
 * Shows the timeline of the press below whichever row of `body` is pointed at or has the focus;
 * Escape takes it away.
 */
export function timelineUnderMouse(body, presses, signal) {
  const place = h("div",
    { class: "under-mouse card", id: "press-timeline", role: "tooltip", hidden: true });
  let described = null;

  function hide() {
    place.hidden = true;
    described?.removeAttribute("aria-describedby");
    described = null;
  }

  function show(target) {
    const line = target.closest?.("tr");
    const press = line?.frame ? presses.of(line.frame) : null;
    if (!press) return hide();
    place.replaceChildren(timeline(press));
    place.hidden = false;
    const { left, bottom, top } = line.getBoundingClientRect();
    const { offsetHeight, offsetWidth } = place;
    const isBelow = bottom + offsetHeight + 4 < innerHeight;
    place.style.top = `${isBelow ? bottom + 4 : Math.max(0, top - offsetHeight - 4)}px`;
    place.style.left = `${Math.max(4, Math.min(left + 130, innerWidth - offsetWidth - 4))}px`;
    described?.removeAttribute("aria-describedby");
    described = line.querySelector("button.type");
    described?.setAttribute("aria-describedby", place.id);
  }

  body.addEventListener("mouseover", ({ target }) => show(target), { signal });
  body.addEventListener("focusin", ({ target }) => show(target), { signal });
  for (const event of ["mouseleave", "focusout"]) body.addEventListener(event, hide, { signal });
  document.addEventListener("keydown", ({ key }) => { if (key === "Escape") hide(); }, { signal });
  return place;
}
