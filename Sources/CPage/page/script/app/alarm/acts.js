/**
 * What a person can do in an emergency. To end it is one thing (PIN), to silence it another (R50),
 * to call for help or to quit silence it too and end nothing (R50, R51).
 */

import { api } from "../../api.js";
import { ask, h, onPress, setText } from "../../dom.js";
import { follow } from "../../model.js";
import { refusal, t } from "../../texts.js";
import { askPIN } from "../pinpad.js";

/** Asks the core for a command of the current incident; the view shows what the core then says. */
export async function perform(model, command, body = {}) {
  try {
    return await api.post(`/v1/incidents/current/${command}`, body);
  } finally {
    await model.refresh();
  }
}

/** What a button does: `work`, and its refusal in words in `error`. */
export function tried(error, work) {
  return async () => {
    setText(error, "");
    try {
      await work();
    } catch (problem) {
      setText(error, refusal(problem));
    }
  };
}

/**
 * Ends the emergency: by PIN where one is set, else after a question; `then` follows its success.
 * Without a PIN the question is the confirmation (R38, R42, R52).
 */
export async function end(model, { title, then = () => {} }) {
  const { account, incident } = model.status;
  if (incident.isUnowned) return endAfterQuestion(model, "end", title, then);
  if (!account.hasPIN) return endAfterQuestion(model, "cancel", title, then);
  await askPIN({
    title,
    text: t("alarm.pinWhy"),
    submit: async (pin) => {
      await api.post("/v1/incidents/current/disarm", { pin });
      await then();
      model.refresh();
    },
  });
}

async function endAfterQuestion(model, command, title, then) {
  const answer = await ask({
    title,
    text: t("alarm.sure"),
    buttons: [
      { label: t("button.no"), value: "" },
      { label: t("button.yes"), value: "yes", kind: "danger" },
    ],
  });
  if (answer !== "yes") return;
  await perform(model, command);
  await then();
}

/** The buttons of an open emergency. */
export function acts(model, signal) {
  const error = h("p", { class: "error", role: "alert" });
  const fine = h("button", { type: "button", class: "main large", id: "fine" });
  const plain = (id) => h("button", { type: "button", class: "large", id }, t(`alarm.${id}`));
  const silence = plain("silence");
  const quit = plain("quit");
  const call = h("a", { class: "button danger large", id: "call", href: "tel:112" },
    t("alarm.call112"));
  const sound = h("p", { class: "sound reading" });
  const explain = h("p", { class: "faint" }, t("alarm.goesOn"));
  const element = h("div", { class: "acts" },
    h("div", { class: "buttons" }, fine, call, silence, quit), sound, error, explain);

  onPress(fine, tried(error, () => end(model, { title: fine.textContent })));
  onPress(silence, tried(error, () => perform(model, "silence")));
  onPress(quit, tried(error, () => perform(model, "quit")));
  // The call is the telephone's; here it only silences.
  call.addEventListener("click", tried(error, () => perform(model, "silence")));

  follow(model, ["status"], signal, () => {
    const { state, incident } = model.status;
    element.hidden = state === "EMERGENCY_ENDED";
    setText(fine, t(state === "ALERT_COUNTDOWN" ? "alarm.fine" : "alarm.cancel"));
    silence.hidden = !incident?.sounder;
    quit.hidden = Boolean(incident?.surveyOpened);
    setText(sound, t(incident?.sounder ? "alarm.soundOn" : "alarm.soundOff"));
  });
  return element;
}
