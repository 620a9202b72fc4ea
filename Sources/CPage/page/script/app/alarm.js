/**
 * The alarm, state by state (R35 to R55). The largest things are what is so and who has it in hand;
 * what the person can do stands below, in places that never change. It is all that is reachable
 * until the emergency is over (R36).
 */

import { dueTime } from "../clock.js";
import { h, setText } from "../dom.js";
import { atTicks, follow } from "../model.js";
import { ago, t } from "../texts.js";
import { acts } from "./alarm/acts.js";
import { countdown } from "./alarm/countdown.js";
import { ended } from "./alarm/ended.js";
import { lineFeed } from "./alarm/feed.js";
import { people } from "./alarm/people.js";
import { survey } from "./alarm/survey.js";
import { whereabouts } from "./alarm/whereabouts.js";
import { emergency } from "./emergency.js";
import { storageBanner } from "./status/banners.js";

export const alarm = {
  name: "alarm",
  title: "alarm.title",

  show(root, model, signal) {
    const storage = storageBanner();
    const since = h("p", { class: "since reading" });
    const heading = h("h1", { class: "reading", tabindex: "-1" });
    const said = h("p", { class: "visually-hidden", role: "alert" });
    const means = h("p", { class: "means reading" });
    const unknown = h("section", { class: "shout", id: "unknown", hidden: true });
    const feed = lineFeed(model, signal);
    const facts = h("ul", { class: "incident-facts reading" });
    const told = people(model, signal, feed);
    const does = acts(model, signal);

    root.append(said, h("div", { class: "alarm-view" },
      h("div", { class: "now" },
        storage.element,
        h("section", { class: "hero", id: "alarm" },
          // Below what is pressed: nothing moves under a finger when the core is lost.
          since, heading, told.who, countdown(model, signal), means, does.deeds, unknown),
        survey(model, signal), ended(model, signal), does.lesser),
      h("div", { class: "goes" },
        told.element, whereabouts(model, signal),
        h("section", { class: "card", id: "facts", "aria-labelledby": "facts-title" },
          h("h2", { id: "facts-title" }, t("alarm.facts")), facts, told.log))));

    let before = null;
    const findFocus = keepFocus(root, heading, signal);
    const show = () => {
      const { state, storageFailure } = model.status;
      storage.show(storageFailure);
      document.getElementById("alarm").dataset.state = state;
      const title = t(`alarm.heading.${hasMoved(model.status) ? "moved" : state}`);
      setText(heading, title);
      setText(means, meaning(model.status));
      findFocus();
      if (state === before) return;
      // What was asked in an emergency is not asked any more when it is over.
      if (state === "EMERGENCY_ENDED") {
        for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
        if (before !== null) heading.focus({ preventScroll: true });
      }
      before = state;
      setText(said, `${title} ${meaning(model.status)}`.trim());
      document.title = `${title} – ${t("app.name")}`;
    };
    follow(model, ["status"], signal, show);
    atTicks(model, signal, () => {
      tellUnknown(unknown, model);
      tellFacts(facts, model);
      const { incident } = model.status;
      setText(since, incident
        ? t("alarm.began", { ago: ago(model.since(incident.openedAt.wall)) }) : "");
    });
  },
};

/** The alarm has ended here, and went on at another account. */
const hasMoved = ({ state, incident }) =>
  state === "EMERGENCY_ENDED" && incident?.endReason === "moved";

/** What a button that is gone has opened, by their ids. */
const goesOn = { quit: "fell", fell: "no-help", silence: "fine" };

/** Where a button is gone that was pressed, the keyboard goes on at what it has opened. */
function keepFocus(root, heading, signal) {
  let last = null;
  root.addEventListener("focusin", ({ target }) => { last = target; }, { signal });
  return () => {
    const now = document.activeElement;
    const isLost = now === document.body || root.contains(now) && !now.checkVisibility();
    if (!isLost || !last || last.checkVisibility()) return;
    const next = document.getElementById(goesOn[last.id]);
    if (next?.checkVisibility()) next.focus();
    else heading.focus({ preventScroll: true });
  };
}

/** What the state means for the person, in one or two sentences. */
function meaning(status) {
  const { state, incident, contacts } = status;
  if (incident?.isUnowned && state !== "EMERGENCY_ENDED") return t("alarm.means.unowned");
  if (state === "ALERT_COUNTDOWN") {
    if (incident.question) return t("alarm.means.question", asked(status));
    return t(incident.trigger ? `alarm.means.${incident.trigger}` : "alarm.means.ALERT_COUNTDOWN");
  }
  if (state === "EMERGENCY_SENDING_FAILED" && contacts === 0) return t("alarm.means.noContacts");
  if (state === "EMERGENCY_ENDED") {
    return t(`alarm.ended.${incident?.endReason ?? "over"}`, emergency(status));
  }
  if (state === "EMERGENCY_SENT") {
    const isAcknowledged = incident.acknowledgedBy.length > 0;
    return t(isAcknowledged ? "alarm.means.acknowledged" : "alarm.means.EMERGENCY_SENT");
  }
  return t(`alarm.means.${state}`);
}

/** The check-in that nobody answered, for a text. */
const asked = (status) => ({
  name: status.incident.question.description, at: dueTime(status.incident.question.due, status),
});

/** Where the core is not heard: how old all this is, and what is not known (never a guess). */
function tellUnknown(element, model) {
  element.hidden = !model.isStale;
  if (element.hidden) return;
  if (!element.firstChild) {
    element.append(h("h2", {}, t("alarm.unknown")), h("p", {}), h("p", {}));
  }
  setText(element.children[1], t("alarm.unknownAge", { ago: ago(model.age) }));
  setText(element.children[2], t("alarm.unknownMeans", emergency(model.status)));
}

/** Figures of the incident in small print: presses and messages (R55). */
function tellFacts(list, model) {
  const { incident } = model.status;
  if (!incident) return;
  const presses = incident.presses.reduce((sum, press) => sum + press.covers, 0)
    + (incident.furtherPresses ?? 0);
  const unproved = incident.presses.filter((press) => press.isProved === false).length;
  const texts = [
    incident.question ? t("alarm.question", asked(model.status)) : null,
    presses > 0 ? t("alarm.presses", { count: presses }) : null,
    unproved > 0 ? t("alarm.unproved", { count: unproved }) : null,
    incident.told.length > 0 ? t("alarm.messages", { count: incident.messages }) : null,
    incident.isBench ? t("alarm.bench") : null,
  ].filter((text) => text !== null);
  while (list.children.length < texts.length) list.append(h("li", {}));
  while (list.children.length > texts.length) list.lastChild.remove();
  texts.forEach((text, place) => setText(list.children[place], text));
}
