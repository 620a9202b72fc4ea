/**
 * The figure of the alarm: mm:ss until contacts are told, or how long it is tried (R37, R41), by
 * the clock of the core. Where the core is not heard it stands still and says so.
 */

import { h, setText } from "../../dom.js";
import { atTicks } from "../../model.js";
import { minutesAndSeconds, t } from "../../texts.js";
import { emergency } from "../emergency.js";

/** Label and figure; in FAILED the figure is the number that the person is to call. */
export function countdown(model, signal) {
  const label = h("p", { class: "label" });
  const figure = h("p", { class: "figure figures", role: "timer" });
  const element = h("div", { class: "countdown", id: "countdown" }, label, figure);

  atTicks(model, signal, () => {
    const { state } = model.status;
    const shown = reading(model);
    element.hidden = shown === null;
    if (!shown) return;
    setText(label, shown.label);
    setText(figure, shown.figure);
    figure.classList.toggle("small", state === "EMERGENCY_SENDING");
  });
  return element;
}

function reading(model) {
  const { state, incident } = model.status;
  // R46: this stays true whatever the core says.
  if (state === "EMERGENCY_SENDING_FAILED") {
    return { label: t("alarm.call"), figure: emergency(model.status).number };
  }
  if (state === "ALERT_COUNTDOWN") {
    return {
      label: t("alarm.until.ALERT_COUNTDOWN"), figure: time(model, incident.countdownEnds, 1),
    };
  }
  if (state === "EMERGENCY_SENDING" && incident?.trackingSince) {
    return { label: t("alarm.trying"), figure: time(model, incident.trackingSince, -1) };
  }
  return null;
}

/** In small print: when contacts are told again, or why they are not (R37). */
export function nextMessage(model) {
  const { state, nextMessage: next } = model.status;
  if (state !== "EMERGENCY_SENT") return "";
  if (!next) return t("alarm.noNext");
  return t("alarm.next", { time: time(model, next, 1) });
}

/** mm:ss until a moment, or since it where `sign` is -1. */
function time(model, moment, sign) {
  return model.isStale ? t("alarm.noTime") : minutesAndSeconds(sign * model.until(moment));
}
