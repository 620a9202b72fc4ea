/**
 * R56: where the person allowed it, an alarm raises a notification of the system that leads to the
 * alarm view; the title and the icon of the page tell it in any case.
 */

import { h, onPress } from "../dom.js";
import { t } from "../texts.js";

/** Asks for leave, where the browser has notifications and nobody has answered yet. */
export function notifications() {
  const attributes = { class: "card", id: "notifications", "aria-labelledby": "notify-title" };
  const card = h("section", attributes,
    h("h2", { id: "notify-title" }, t("notify.title")),
    h("p", {}, t("notify.why")));
  card.hidden = !("Notification" in window) || Notification.permission !== "default";
  const allow = h("button", { type: "button" }, t("notify.allow"));
  onPress(allow, async () => {
    await Notification.requestPermission();
    card.hidden = Notification.permission !== "default";
  });
  card.append(allow);
  return card;
}

/** Tells each incident once, and takes that back when it is over. */
export function tellAlarms(model) {
  let told = null;
  let shown = null;
  model.addEventListener("status", () => {
    const { state, incident } = model.status;
    const isOpen = state !== "NO_EMERGENCY" && state !== "EMERGENCY_ENDED";
    if (!isOpen) {
      shown?.close();
      shown = null;
    } else if (incident && incident.id !== told) {
      told = incident.id;
      shown = raise(incident.id);
    }
  });
}

function raise(tag) {
  if (!("Notification" in window) || Notification.permission !== "granted") return null;
  try {
    const raised = new Notification(t("notify.alarm"), {
      body: t("notify.body"), tag, requireInteraction: true, icon: "/page/icon-alarm.svg",
    });
    raised.addEventListener("click", () => {
      window.focus();
      location.hash = "#/alarm";
      raised.close();
    });
    return raised;
  } catch {
    // Some phones allow them to service workers alone; the page tells it all the same.
    return null;
  }
}
