/**
 * The figure of the alarm: mm:ss until contacts are told, or told again (R37, R41), by the clock of
 * the core. Where the core is not heard it stands still and says so.
 */

import { h, setText } from "../../dom.js";
import { atTicks } from "../../model.js";
import { minutesAndSeconds, t } from "../../texts.js";

/**
 * Label, figure, and the number of contacts; in FAILED the figure is what the person is to call.
 */
export function countdown(model, signal) {
  const label = h("p", { class: "label" });
  const figure = h("p", { class: "figure figures", role: "timer" });
  const contacts = h("p", { class: "how-many reading" });
  const element = h("div", { class: "countdown", id: "countdown" }, label, figure, contacts);

  atTicks(model, signal, () => {
    const { state } = model.status;
    const shown = reading(model);
    element.hidden = state === "EMERGENCY_ENDED";
    setText(label, shown.label);
    setText(figure, shown.figure);
    figure.hidden = shown.figure === "";
    figure.classList.toggle("call", state === "EMERGENCY_SENDING_FAILED");
    setText(contacts, howMany(model.status));
  });
  return element;
}

/** How many are told (R37); of an alarm that belongs to nobody, nobody is (G5). */
function howMany({ contacts: count, incident }) {
  if (incident?.isUnowned) return t("alarm.nobody");
  return t(count === 0 ? "alarm.noContacts" : "alarm.contacts", { count });
}

function reading(model) {
  const { state, incident, nextMessage } = model.status;
  // R46: this stays true whatever the core says.
  if (state === "EMERGENCY_SENDING_FAILED") {
    return { label: t("alarm.call"), figure: t("alarm.number") };
  }
  const to = { ALERT_COUNTDOWN: incident?.countdownEnds, EMERGENCY_SENT: nextMessage }[state];
  if (to) return { label: t(`alarm.until.${state}`), figure: time(model, model.until(to)) };
  if (state === "EMERGENCY_SENDING" && incident?.trackingSince) {
    return { label: t("alarm.trying"), figure: time(model, -model.until(incident.trackingSince)) };
  }
  return { label: state === "EMERGENCY_SENT" ? t("alarm.noNext") : "", figure: "" };
}

function time(model, milliseconds) {
  return model.isStale ? t("alarm.noTime") : minutesAndSeconds(milliseconds);
}
