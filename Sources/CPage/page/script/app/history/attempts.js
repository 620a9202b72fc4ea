/** Every attempt to tell someone: when, who, by which way, what came of it, and the next try. */

import { h } from "../../dom.js";
import { hasText, moment, t, timeOfDay } from "../../texts.js";

const marks = { delivered: "✓", deliveryFailed: "✗", notified: "→", withdrawn: "–" };
const kinds = { delivered: "good", deliveryFailed: "error" };
const columns = ["at", "who", "message", "way", "result", "next"];

/** Elements for an incident's document. */
export function attempts(document, names) {
  const hasMoved = document.endReason === "moved";
  const rows = document.notifications.flatMap((one) => steps(one, names, hasMoved));
  if (rows.length === 0) return [h("p", {}, t("history.attempts.none"))];
  rows.sort((a, b) => a.line - b.line);
  const label = t("history.attempts");
  return [h("div", { class: "attempts", role: "region", tabindex: 0, "aria-label": label },
    h("table", {}, h("caption", { class: "visually-hidden" }, label),
      h("thead", {}, h("tr", {}, columns.map((name) =>
        h("th", { scope: "col" }, t(`history.column.${name}`))))),
      h("tbody", {}, rows.map(tableRow))))];
}

/** A message that nobody has tried to send yet is a row too. */
function steps(notification, names, hasMoved) {
  const { contact, kind, sequence } = notification;
  const who = names.get(contact) ?? contact;
  const said = hasMoved && kind === "closing" ? "moved" : kind;
  const message = t("history.message", { kind: named("kind", said), sequence });
  if (notification.steps.length === 0) {
    return [{
      line: Infinity, at: notification.decided.wall, who, message, way: "", result: "waiting",
      reason: notification.lastError ?? "", next: notification.next?.wall,
    }];
  }
  return notification.steps.map((step) => ({
    line: step.line, at: step.at.wall, who, message, way: step.sink ?? "", result: step.result,
    reason: step.facts?.reason ?? "", next: step.next?.wall,
  }));
}

function tableRow({ at, who, message, way, result, reason: why, next }) {
  const text = named("result", result) + (why ? `: ${why}` : "");
  return h("tr", {},
    h("td", { class: "figures" },
      h("time", { datetime: iso(at), title: moment(at) }, timeOfDay(at))),
    h("td", {}, who),
    h("td", {}, message),
    h("td", {}, way || "–"),
    h("td", { class: kinds[result] ?? null },
      h("span", { "aria-hidden": "true" }, `${marks[result] ?? "…"} `), text),
    h("td", { class: "figures" }, next ? timeOfDay(next) : "–"));
}

function named(group, name) {
  const text = `history.${group}.${name}`;
  return hasText(text) ? t(text) : name;
}

const iso = (wall) => new Date(wall / 1000).toISOString();
