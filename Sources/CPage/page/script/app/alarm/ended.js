/** After the emergency: what it was (R61), and the way back to protection (R47, R54). */

import { h, onPress, setAttribute, setText } from "../../dom.js";
import { follow } from "../../model.js";
import { moment, t } from "../../texts.js";
import { perform, tried } from "./acts.js";

const outcomes = ["true", "false", "test"];

/** The card of an ended emergency. */
export function ended(model, signal) {
  const when = h("p", { class: "reading" });
  const error = h("p", { class: "error", role: "alert" });
  const kept = h("p", { role: "status", class: "said" });
  const resume = h("button", { type: "button", class: "main large", id: "resume" });
  const buttons = outcomes.map((outcome) =>
    h("button", { type: "button", value: outcome, "aria-pressed": "false" },
      t(`outcome.${outcome}`)));
  const element = h("section", { class: "card", id: "ended", "aria-labelledby": "ended-title" },
    h("h2", { id: "ended-title" }, t("ended.title")), when,
    h("p", { id: "outcome-label" }, t("ended.what")),
    h("div", { class: "buttons", role: "group", "aria-labelledby": "outcome-label" }, buttons),
    kept,
    h("p", {}, t("ended.press")), h("div", { class: "buttons" }, resume), error);

  for (const button of buttons) {
    onPress(button, tried(error, async () => {
      await perform(model, "survey", { outcome: button.value });
      setText(kept, t("ended.kept"));
    }));
  }
  onPress(resume, tried(error, () => perform(model, "resume")));

  follow(model, ["status"], signal, () => {
    const { state, incident } = model.status;
    element.hidden = state !== "EMERGENCY_ENDED";
    if (element.hidden || !incident) return;
    const words = incident.endReason === "moved" ? "ended.moved" : "ended.when";
    setText(when, incident.endedAt ? t(words, { when: moment(incident.endedAt.wall) }) : "");
    for (const button of buttons) {
      setAttribute(button, "aria-pressed", incident.survey?.outcome === button.value);
    }
    setText(resume, t(incident.survey?.fell ? "survey.noHelp" : "ended.resume"));
  });
  return element;
}
