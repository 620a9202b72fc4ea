/** What a bench does to an emulated keychain besides pressing: charge, plug, power. */

import { h, setText } from "../dom.js";
import { number, t } from "../texts.js";

/** A group that opens, with its state in the line that is always seen. */
export function group(name, ...children) {
  const said = h("span", { class: "reading faint" });
  const element = h("details", { class: `group ${name}` },
    h("summary", {}, h("span", {}, t(`hand.${name}`)), " ", said), children);
  return { element, say: (text) => setText(said, text) };
}

/** A line for what was refused; empty while nothing was. */
export const refusalLine = () => h("p", { class: "error refusal", role: "alert" });

/** Does something, and says why not. */
export async function attempt(line, order) {
  setText(line, "");
  try {
    await order();
  } catch (problem) {
    setText(line, problem.code === "unreachable" ? t("hand.unreachable")
      : t("hand.refused", { reason: problem.message }));
  }
}

/** Whether it has a battery: one without has no charge to show or to set. */
export const hasBattery = (state) => state.battery !== undefined && state.battery !== null;

/** The charge by a slider; what is in force stands beside it. `ask(request)` asks the keychain. */
export function battery(ask) {
  const refusal = refusalLine();
  const set = h("output", { for: "hand-charge", class: "figures" });
  const slider = h("input", { id: "hand-charge", type: "range", min: 0, max: 100, step: 1 });
  const now = h("p", { class: "reading" });
  /** The slider stands where a hand has put it until the keychain has answered. */
  let isMoved = false;
  slider.addEventListener("input", () => {
    isMoved = true;
    setText(set, t("hand.percent", { percent: slider.value }));
  });
  slider.addEventListener("change", async () => {
    await attempt(refusal, () => ask({ do: "battery", percent: Number(slider.value) }));
    isMoved = false;
  });
  const controls = h("div", {}, h("label", { for: "hand-charge" }, t("hand.charge")),
    h("div", { class: "slider" }, slider, set), now, refusal);
  const { element, say } = group("battery", controls);
  return {
    element,
    show(state) {
      controls.hidden = !hasBattery(state);
      if (controls.hidden) return say(t("row.batteryNone"));
      say(t("hand.percent", { percent: state.battery }));
      setText(now, t("hand.inForce", { what: t("hand.cell", {
        percent: state.battery, millivolts: number(state.millivolts) }) }));
      if (isMoved) return;
      slider.value = state.battery;
      setText(set, t("hand.percent", { percent: state.battery }));
    },
  };
}

const pauses = [1, 5, 30];

/** Unplug and replug, power cut, reset. */
export function power(ask) {
  const refusal = refusalLine();
  let isPlugged = true;
  const order = (request) => () => attempt(refusal, () => ask(request()));
  const button = (text, request) =>
    h("button", { type: "button", on: { click: order(request) } }, text);
  // One button for both: the focus stays where it is.
  const plug = button("", () => ({ do: isPlugged ? "unplug" : "replug" }));
  const pause = h("select", { id: "hand-pause" }, pauses.map((seconds) =>
    h("option", { value: seconds * 1000 }, t("hand.seconds", { count: seconds }))));
  const now = h("p", { class: "reading" });
  const { element, say } = group("power",
    now,
    h("div", { class: "buttons" }, plug, button(t("hand.reset"), () => ({ do: "reset" }))),
    h("div", { class: "pair" },
      h("div", {}, h("label", { for: "hand-pause" }, t("hand.pause")), pause),
      button(t("hand.cut"), () => ({ do: "powercut", ms: Number(pause.value) }))),
    refusal);
  return {
    element,
    show(state) {
      isPlugged = state.plugged;
      setText(plug, t(isPlugged ? "hand.unplug" : "hand.replug"));
      const link = t(!state.plugged ? "hand.unplugged" : state.linked ? "hand.linked"
        : state.host ? "hand.opened" : "hand.plugged");
      const board = state.powered
        ? t("hand.powered", { boot: state.boot ?? "–" }) : t("hand.dead");
      say(state.powered ? link : board);
      setText(now, t("hand.inForce", { what: `${link}; ${board}` }));
    },
  };
}
