/**
 * Where the person allowed it, notifications of the system: of an alarm, which leads to its view
 * (R56), of a check-in, each time that it asks (R100), of a low battery, once a day as the core
 * says it (R34), and of what the owner is reminded of (R85). The title, the icon and the status of the page tell it in any case.
 */

import { api } from "../api.js";
import { dueTime } from "../clock.js";
import { h, onPress } from "../dom.js";
import { t } from "../texts.js";
import { lineOfDay } from "./daily.js";

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

/**
 * Tells each incident once, and takes that back when it is over; so of a check-in that asks; and of
 * a battery that is low.
 */
export function notify(model) {
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
      shown = raise("#/alarm", t("notify.alarm"), {
        body: t("notify.body"), tag: incident.id, requireInteraction: true,
        icon: "/page/icon-alarm.svg",
      });
    }
  });
  const asking = new Map();
  model.addEventListener("line", async ({ detail: { name, facts } }) => {
    if (!name.startsWith("checkIn") || !facts?.key) return;
    const tag = `${facts.series}/${facts.key}`;
    asking.get(tag)?.close();
    asking.delete(tag);
    if (!["checkInAsked", "checkInDue", "checkInNagged"].includes(name)) return;
    await model.refresh();
    if (!await wants("checkIns")) return;
    const { next } = model.status.checkIns;
    const isNext = next && `${next.series}/${next.key}` === tag;
    const shown = raise("#/checkIns", t("notify.checkIn"), {
      body: isNext
        ? t("well.which", { name: next.description, at: dueTime(next.due, model.status) })
        : t("notify.checkIn.text"),
      tag, icon: "/page/icon.svg",
    });
    if (shown) asking.set(tag, shown);
  });
  model.addEventListener("line", (event) => remind(event, model));
  model.addEventListener("line", ({ detail: { name, device, facts } }) => {
    if (name !== "batteryLow") return;
    raise("#/status", t("row.batteryLow", { percent: facts?.percent ?? "?" }), {
      body: t("row.batteryLow.advice"), tag: `battery-${device}`, icon: "/page/icon.svg",
    });
  });
}

/** What the owner is reminded of: the view that it leads to, and its text where it has one. */
const reminders = {
  affirmationDue: { view: "#/calm" },
  reviewDue: { view: "#/review" },
  reviewOpen: { view: "#/review" },
  tipDue: { view: "#/status", text: (status) => lineOfDay("tip", status) },
  quoteDue: { view: "#/status", text: (status) => lineOfDay("quote", status) },
};

async function remind({ detail: { name } }, { status }) {
  const reminder = reminders[name];
  if (!reminder) return;
  raise(reminder.view, t(`notify.${name}`), {
    body: await reminder.text?.(status) ?? "", tag: name, icon: "/page/icon.svg",
  });
}

/** Whether this kind is switched on; where nobody can say, it is. */
async function wants(kind) {
  try {
    return (await api.get("/v1/notifications"))[kind];
  } catch {
    return true;
  }
}

/** Chosen, it leads to that view. */
function raise(view, title, options) {
  if (!("Notification" in window) || Notification.permission !== "granted") return null;
  try {
    const raised = new Notification(title, options);
    raised.addEventListener("click", () => {
      window.focus();
      location.hash = view;
      raised.close();
    });
    return raised;
  } catch {
    // Some phones allow them to service workers alone; the page tells it all the same.
    return null;
  }
}
