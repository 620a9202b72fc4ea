/**
 * Who is told, a card each: sent, received, acknowledged, each step lit with its time (R37, R44,
 * R45), and every attempt as it is made. That somebody has it in hand is said where they said so.
 */

import { api } from "../../api.js";
import { h, keyed, setAttribute, setText } from "../../dom.js";
import { atTicks, follow } from "../../model.js";
import { hasText, t, timeOfDay } from "../../texts.js";
import { nextMessage } from "./countdown.js";

const steps = ["sent", "received", "acknowledged"];

/** The cards as `element`, in one sentence as `who`, and as `log` what is done for them. */
export function people(model, signal, feed) {
  const names = new Map();
  const who = h("p", { class: "taker reading", role: "status" });
  const count = h("p", { class: "reading" });
  const list = h("ul", { class: "people", id: "people" });
  const next = h("p", { class: "next figures reading" });
  const log = h("ol", { class: "log reading", id: "log", reversed: true });
  const nameOf = (id) => names.get(id) ?? id;

  const show = () => {
    const { incident, contacts } = model.status;
    const acknowledged = incident?.acknowledgedBy ?? [];
    const hasMoved = incident?.endReason === "moved";
    // G5: of an alarm that belongs to nobody, nobody is told.
    const meant = incident?.isUnowned ? [] : names.keys();
    const ids = new Set([...meant, ...(incident?.told ?? []), ...feed.people.keys()]);
    keyed(list, [...ids], (id) => id, card, (item, id) =>
      update(item, nameOf(id), feed.people.get(id), acknowledged.includes(id), hasMoved));
    setText(count, incident?.isUnowned ? t("alarm.nobody")
      : t(contacts === 0 ? "alarm.noContacts" : "alarm.contacts", { count: contacts }));
    setText(who, answer(model.status, acknowledged.map(nameOf), feed.people));
    who.classList.toggle("answered", acknowledged.length > 0);
    keyed(log, feed.lines.filter((line) => hasText(`line.${line.name}`)), (line) => line.id,
      (line) => h("li", {}, h("time", { class: "figures faint" }, timeOfDay(line.wall)), " ",
        h("span", {})),
      (item, line) => setText(item.lastChild, lineWords(line, nameOf, hasMoved)));
  };

  const learnNames = async () => {
    try {
      for (const { id, name } of (await api.get("/v1/contacts")).contacts) names.set(id, name);
      if (!signal.aborted) show();
    } catch {
      if (!signal.aborted) model.addEventListener("status", learnNames, { once: true, signal });
    }
  };
  follow(model, ["status"], signal, show);
  atTicks(model, signal, () => setText(next, nextMessage(model)));
  feed.addEventListener("change", show, { signal });
  learnNames();
  return {
    who,
    element: h("section", { class: "card", id: "people-card", "aria-labelledby": "people-title" },
      h("div", { class: "people-head" },
        h("h2", { id: "people-title" }, t("alarm.people")), count),
      list, next),
    log: h("details", {}, h("summary", { id: "log-title" }, t("alarm.log")),
      h("div", { class: "log-scroll", tabindex: "0", role: "region",
        "aria-labelledby": "log-title" }, log)),
  };
}

/** Who has it in hand, by their own word; else how far it came, and that no person has said so. */
function answer({ state, incident }, acknowledged, told) {
  if (acknowledged.length > 0) {
    return t("alarm.inHand", { count: acknowledged.length, names: acknowledged.join(", ") });
  }
  if (state !== "EMERGENCY_SENT" || incident?.isUnowned) return "";
  const received = [...told.values()].filter((one) => one.received).length;
  return received > 0 ? t("alarm.noAnswer", { count: received }) : "";
}

function card() {
  return h("li", { class: "person" }, h("span", { class: "name" }),
    h("ol", { class: "steps reading" }, steps.map((step) =>
      h("li", {}, h("span", { class: "word" }, t(`step.${step}`)), " ",
        h("span", { class: "at figures" })))),
    h("p", { class: "note reading" }));
}

function update(item, name, person = {}, hasAcknowledged, hasMoved) {
  const [title, row, note] = item.children;
  const { latest } = person;
  setText(title, name);
  const lit = {
    sent: person.sent, received: person.received,
    acknowledged: hasAcknowledged ? person.acknowledged ?? true : undefined,
  };
  steps.forEach((step, place) => {
    const at = lit[step];
    setAttribute(row.children[place], "class", at ? `lit ${step}` : null);
    setText(row.children[place].lastChild,
      at === true ? "" : at ? timeOfDay(at) : t("step.notYet"));
  });
  const failed = latest?.name === "deliveryFailed" && !hasAcknowledged;
  setAttribute(item, "class",
    `person ${hasAcknowledged ? "acknowledged" : failed ? "failed" : ""}`.trim());
  setText(note, remark(latest, person, hasAcknowledged, hasMoved));
}

/** What the three steps leave out, by the newest line about that person. */
function remark(line, { sent, received }, hasAcknowledged, hasMoved) {
  if (!line) return "";
  if (line.facts?.kind === "closing") {
    const words = `${hasMoved ? "moved" : "closing"}.${line.name}`;
    return hasText(words) ? t(words) + next(line) : "";
  }
  // G18: a further press undoes what they said.
  if (line.name === "acknowledged") return hasAcknowledged ? "" : t("contact.undone");
  const isRepeated = { notified: line.wall > sent, delivered: line.wall > received }[line.name];
  if (isRepeated === false || !hasText(`contact.${line.name}`)) return "";
  return t(`contact.${line.name}`, { time: timeOfDay(line.wall) }) + next(line);
}

/**
 * A log entry in words; what only programs read is left out. Of an incident that has moved nothing
 * says that it is over.
 */
export function lineWords(line, nameOf, hasMoved) {
  const { kind, reason, from, to } = line.facts ?? {};
  const said = hasMoved && kind === "closing" ? "moved" : kind;
  const message = hasText(`message.${said}`) ? t(`message.${said}`) : t("message.raise");
  const word = (state) => hasMoved && state === "EMERGENCY_ENDED" ? "moved" : state;
  return t(`line.${line.name}`, {
    contact: line.contact ? nameOf(line.contact) : "",
    sink: line.sink ?? t("line.noSink"),
    message,
    reason: reason || t("line.noReason"),
    states: [from, to].filter((state) => state).map(word).map((state) =>
      hasText(`state.${state}`) ? t(`state.${state}`) : state).join(" → "),
    who: line.who ?? "",
    detail: line.detail ?? "",
  }) + next(line);
}

function next(line) {
  return line.nextWall ? ` ${t("line.next", { time: timeOfDay(line.nextWall) })}` : "";
}
