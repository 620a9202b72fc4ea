/** One incident: how it began and ended, and on demand every attempt to tell someone. */

import { dueTime } from "../../clock.js";
import { h, setText } from "../../dom.js";
import { api } from "../../api.js";
import { hasText, minutesAndSeconds, moment, number, t } from "../../texts.js";
import { problemText } from "../forms.js";
import { coordinates } from "../position.js";
import { attempts } from "./attempts.js";
import { outcomeChoice } from "./outcome.js";

/** A card; its document is read when it is opened, and again at each log entry about it. */
export function incidentCard({ incident, model, names, signal }) {
  const place = h("div", {});
  const refused = h("p", { class: "error general", role: "alert" });
  const opened = moment(incident.openedAt.wall);
  const path = `/v1/incidents/${incident.id}`;
  let isAsking = false;
  let isAgain = false;

  async function read() {
    if (isAsking) {
      isAgain = true;
      return;
    }
    isAsking = true;
    try {
      const [document, known] = await Promise.all([api.get(path), names]);
      setText(refused, "");
      if (!signal.aborted) place.replaceChildren(...attempts(document, known));
    } catch (problem) {
      setText(refused, problemText(problem));
    } finally {
      isAsking = false;
    }
    if (isAgain) {
      isAgain = false;
      await read();
    }
  }

  const details = h("details", { on: { toggle: () => { if (details.open) read(); } } },
    h("summary", {}, t("history.attempts")), refused, place);
  model.addEventListener("line", (event) => {
    if (details.open && event.detail.incident === incident.id) read();
  }, { signal });

  const terms = h("dl", { class: "terms" }, facts(incident, names, model.status));
  return h("article", { class: "card" },
    h("h2", {}, opened, incident.isBench ? h("span", { class: "mark" }, t("history.bench")) : null),
    terms, incident.endedAt ? outcomeChoice(incident, () => {
      terms.replaceChildren(...facts(incident, names, model.status));
    }) : null, details, incident.endedAt ? lookBackLink(incident, opened) : null,
    h("p", { class: "download" }, h("a", {
      href: path, download: `incident-${incident.id}.json`,
      "aria-label": t("history.download.name", { opened }),
    }, t("history.download"))));
}

/** To its review, or to a new one (R80); what is nobody's is not looked back on. */
const lookBackLink = ({ id, isUnowned }, opened) => isUnowned ? null : h("p", {}, h("a", {
  href: `#/review/of/${id}`, "aria-label": t("history.review.name", { opened }),
}, t("history.review")));

/** What is known of it in short, as terms and descriptions. */
export function facts(incident, names, status) {
  const people = (ids) => {
    const text = h("dd", {}, ids.join(", "));
    names.then((known) => setText(text, ids.map((id) => known.get(id) ?? id).join(", ")));
    return text;
  };
  const row = (name, value) => [
    h("dt", {}, t(`history.${name}`)), value instanceof Node ? value : h("dd", {}, value),
  ];
  const { endedAt, openedAt, survey, acknowledgedBy, told = [] } = incident;
  const hasMoved = incident.endReason === "moved";
  return [
    row("began", began(incident, status)),
    row(hasMoved ? "moved" : "ended", endedAt ? ended(incident) : t("history.open")),
    // How long it went on elsewhere is not known here.
    endedAt && !hasMoved
      ? row("lasted", minutesAndSeconds((endedAt.wall - openedAt.wall) / 1000)) : [],
    row("state", state(incident)),
    row("presses", number(presses(incident))),
    setAside(incident) > 0 ? row("setAside", number(setAside(incident))) : [],
    unproved(incident) > 0 ? row("unproved", number(unproved(incident))) : [],
    row("track", track(incident)),
    told.length > 0 ? row("told", people(told)) : row("told", t("history.told.nobody")),
    acknowledgedBy.length > 0 ? row("acknowledged", people(acknowledgedBy)) : [],
    row("outcome", outcome(survey)),
  ].flat();
}

/** By a press or not: of a check-in nobody has pressed anything. */
function began({ trigger, question }, status) {
  if (!question) return t(`history.began.${trigger ?? "button"}`);
  return t("history.began.question", {
    name: question.description, at: dueTime(question.due, status),
  });
}

/** A name that the core may add to, in words where there are some. */
function word(group, name) {
  const text = `history.${group}.${name}`;
  return hasText(text) ? t(text) : name;
}

/** Once it was resumed from, the state is that nothing happens: the incident is over. */
function state({ state: name, endedAt, endReason }) {
  if (endReason === "moved") return t("state.moved");
  return endedAt && name === "NO_EMERGENCY" ? t("history.over") : t(`state.${name}`);
}

function ended({ endedAt, endReason }) {
  const at = moment(endedAt.wall);
  return endReason ? `${at}, ${word("reason", endReason)}` : at;
}

/** An entry may stand for several presses; beyond a limit they are counted only. */
function presses({ presses: entries, furtherPresses = 0 }) {
  return entries.reduce((sum, entry) => sum + (entry.covers ?? 1), furtherPresses);
}

/** Made before the alarm was switched off, and came after it: nobody was told of them. */
function setAside({ presses: entries }) {
  return entries.filter((entry) => entry.isSetAside).length;
}

/** Made in the name of a paired keychain, and not proved to be of it. */
function unproved({ presses: entries }) {
  return entries.filter((entry) => entry.isProved === false).length;
}

function track({ fixes, lastFixAt, lastPosition }) {
  const parts = [t("history.fixes", { count: fixes ?? 0 })];
  if (lastFixAt) parts.push(t("history.lastFix", { at: moment(lastFixAt.wall) }));
  if (lastPosition) parts.push(coordinates(lastPosition));
  return parts.join(", ");
}

/** R61: what the person says that it was. */
function outcome(survey) {
  const parts = [];
  if (survey?.outcome) parts.push(word("outcome", survey.outcome));
  if (survey?.fell !== undefined && survey.fell !== null) {
    parts.push(t(survey.fell ? "history.fell" : "history.notFell"));
  }
  return parts.join(", ") || t("history.outcome.none");
}
