/**
 * What Quit opens (R51): "I didn't fall" asks once more and cancels (R52); "I fell" is noted, the
 * screen is kept on while the position is followed, until help is not needed any more (R53).
 */

import { ask, h, onPress, setText } from "../../dom.js";
import { follow } from "../../model.js";
import { t } from "../../texts.js";
import { end, perform, tried } from "./acts.js";
import { keepAwake } from "./awake.js";

/** The survey of an open emergency. */
export function survey(model, signal) {
  const error = h("p", { class: "error", role: "alert" });
  const fell = h("button", { type: "button", id: "fell" }, t("survey.fell"));
  const notFell = h("button", { type: "button", id: "not-fell" }, t("survey.notFell"));
  const noHelp = h("button", { type: "button", class: "main", id: "no-help" }, t("survey.noHelp"));
  const question = h("div", {}, h("p", {}, t("survey.question")),
    h("div", { class: "buttons" }, fell, notFell));
  const screen = h("p", { role: "status" });
  const noted = h("div", { class: "noted", id: "fell-noted" },
    h("p", {}, h("strong", {}, t("survey.fellNoted"))), h("p", {}, t("survey.fellMeans")), screen,
    h("div", { class: "buttons" }, noHelp));
  const element = h("section", { class: "card", id: "survey", "aria-labelledby": "survey-title" },
    h("h2", { id: "survey-title" }, t("survey.title")), question, noted, error);

  onPress(fell, tried(error, () => perform(model, "survey", { fell: true })));
  onPress(notFell, tried(error, () => didNotFall(model)));
  onPress(noHelp, tried(error, () => end(model, { title: t("survey.noHelp") })));

  let awake = null;
  const wake = (isWanted) => {
    if (isWanted === (awake !== null)) return;
    awake?.abort();
    awake = isWanted ? new AbortController() : null;
    if (awake) keepAwake(awake.signal, (text) => setText(screen, text));
  };
  signal.addEventListener("abort", () => wake(false));
  element.hidden = true;
  follow(model, ["status"], signal, () => {
    const { state, incident } = model.status;
    const isOpen = state !== "EMERGENCY_ENDED";
    const hasFallen = incident?.survey?.fell === true;
    const wasHidden = element.hidden;
    element.hidden = !isOpen || !incident?.surveyOpened;
    // On a telephone it would open out of sight.
    if (wasHidden && !element.hidden) element.scrollIntoView({ block: "nearest" });
    question.hidden = hasFallen;
    noted.hidden = !hasFallen;
    wake(isOpen && hasFallen && Boolean(incident.trackingSince));
  });
  return element;
}

async function didNotFall(model) {
  const answer = await ask({
    title: t("survey.notFell"),
    text: t("survey.sure"),
    buttons: [
      { label: t("button.no"), value: "" },
      { label: t("button.yes"), value: "yes", kind: "main" },
    ],
  });
  if (answer !== "yes") return;
  const noted = () => perform(model, "survey", { fell: false });
  await end(model, { title: t("survey.notFell"), isSure: true, then: noted });
}
