/** Who is told, how that stands for each, and every attempt as it is made (R37, R44, R45). */

import { api } from "../../api.js";
import { h, keyed, setText } from "../../dom.js";
import { follow } from "../../model.js";
import { hasText, t, timeOfDay } from "../../texts.js";

/** The contacts and the log of the incident. */
export function people(model, signal, feed) {
  const names = new Map();
  const hand = h("p", { class: "in-hand reading", role: "status" });
  const list = h("ul", { class: "people reading", id: "people" });
  const none = h("p", { class: "error" });
  const log = h("ol", { class: "log reading", id: "log", reversed: true });
  const nameOf = (id) => names.get(id) ?? id;

  const show = () => {
    const { incident } = model.status;
    const acknowledged = incident?.acknowledgedBy ?? [];
    // G5: of an alarm that belongs to nobody, nobody is told.
    const meant = incident?.isUnowned ? [] : names.keys();
    const ids = new Set([...meant, ...(incident?.told ?? []), ...feed.latest.keys()]);
    keyed(list, [...ids], (id) => id,
      () => h("li", {}, h("span", { class: "name" }), h("span", { class: "how" })),
      (item, id) => {
        setText(item.children[0], nameOf(id));
        setText(item.children[1], standing(feed.latest.get(id), acknowledged.includes(id)));
        item.dataset.how = acknowledged.includes(id) ? "inHand" : feed.latest.get(id)?.name ?? "";
      });
    none.hidden = ids.size > 0;
    setText(none, t(incident?.isUnowned ? "alarm.nobody" : "alarm.noContacts"));
    const inHand = acknowledged.map(nameOf);
    setText(hand, inHand.length > 0
      ? t("alarm.inHand", { count: inHand.length, names: inHand.join(", ") }) : "");
    keyed(log, feed.lines.filter((line) => hasText(`line.${line.name}`)), (line) => line.id,
      (line) => h("li", {}, h("time", { class: "figures faint" }, timeOfDay(line.wall)), " ",
        h("span", {})),
      (item, line) => setText(item.lastChild, lineWords(line, nameOf)));
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
  feed.addEventListener("change", show, { signal });
  learnNames();
  return h("section", { class: "card", "aria-labelledby": "people-title" },
    h("h2", { id: "people-title" }, t("alarm.people")), hand, none, list,
    h("h3", { id: "log-title" }, t("alarm.log")),
    h("div", { class: "log-scroll", tabindex: "0", role: "region", "aria-labelledby": "log-title" },
      log));
}

/** How it stands for a contact, by the newest line about them. */
function standing(line, hasAcknowledged) {
  if (hasAcknowledged) return t("contact.acknowledged");
  if (!line) return t("contact.waiting");
  // G18: a further press undoes what they said.
  if (line.name === "acknowledged") return t("contact.undone");
  const name = `contact.${line.name}${line.facts?.kind === "closing" ? ".closing" : ""}`;
  if (!hasText(name)) return t("contact.waiting");
  return t(name) + next(line);
}

/** A log entry in words; what only programs read is left out. */
export function lineWords(line, nameOf) {
  const { kind, reason, from, to } = line.facts ?? {};
  const message = hasText(`message.${kind}`) ? t(`message.${kind}`) : t("message.raise");
  return t(`line.${line.name}`, {
    contact: line.contact ? nameOf(line.contact) : "",
    sink: line.sink ?? t("line.noSink"),
    message,
    reason: reason || t("line.noReason"),
    states: [from, to].filter((state) => state).map((state) =>
      hasText(`state.${state}`) ? t(`state.${state}`) : state).join(" → "),
    who: line.who ?? "",
    detail: line.detail ?? "",
  }) + next(line);
}

function next(line) {
  return line.nextWall ? ` ${t("line.next", { time: timeOfDay(line.nextWall) })}` : "";
}
