/**
 * What a person can do in an emergency. To end it is one thing (PIN), to silence it another (R50),
 * to call for help or to quit silence it too and end nothing (R50, R51). One of the two large
 * buttons stands out, by the state; neither ever changes its place.
 */

import { api } from "../../api.js";
import { ask, h, onPress, setAttribute, setText } from "../../dom.js";
import { follow } from "../../model.js";
import { refusal, t } from "../../texts.js";
import { emergency, worksFrom } from "../emergency.js";
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
 * Without a PIN the question is the confirmation (R38, R42, R52). The way back of either says that
 * the alarm stays on, and is never called "Cancel". `isSure`: that question has been answered.
 */
export async function end(model, { title, isSure = false, then = () => {} }) {
  const { account, incident } = model.status;
  if (incident.isUnowned || !account.hasPIN) {
    if (!isSure && !await confirms(title)) return;
    await perform(model, incident.isUnowned ? "end" : "cancel");
    await then();
    return;
  }
  await askPIN({
    title,
    text: t("alarm.pinWhy"),
    back: t("alarm.keepOn"),
    canForget: true,
    submit: async (pin) => {
      await api.post("/v1/incidents/current/disarm", { pin });
      await then();
      model.refresh();
    },
  });
}

async function confirms(title) {
  const answer = await ask({
    title,
    text: t("alarm.sure"),
    buttons: [
      { label: t("alarm.keepOn"), value: "" },
      { label: t("alarm.endIt"), value: "yes", kind: "danger" },
    ],
  });
  return answer === "yes";
}

/** The buttons of an open emergency: the two large ones as `deeds`, and what is `lesser`. */
export function acts(model, signal) {
  const error = h("p", { class: "error", role: "alert" });
  const fine = h("button", { type: "button", id: "fine" });
  const call = h("a", { class: "button", id: "call" });
  const works = h("p", { class: "works" });
  const plain = (id) => h("button", { type: "button", id }, t(`alarm.${id}`));
  const silence = plain("silence");
  const quit = plain("quit");
  const sound = h("p", { class: "sound reading" });
  const deeds = h("div", { class: "acts" }, h("div", { class: "deeds" }, fine, call), works, error);
  const lesser = h("section", { class: "card", id: "lesser", "aria-label": t("alarm.lesser") },
    sound, h("div", { class: "buttons" }, silence, quit), h("p", { class: "faint" },
      t("alarm.goesOn")));

  onPress(fine, tried(error, () => end(model, { title: fine.textContent })));
  onPress(silence, tried(error, () => perform(model, "silence")));
  onPress(quit, tried(error, () => perform(model, "quit")));
  // The call is the telephone's; here it only silences.
  call.addEventListener("click", tried(error, () => perform(model, "silence")));

  follow(model, ["status"], signal, () => {
    const { state, incident } = model.status;
    const help = emergency(model.status);
    deeds.hidden = state === "EMERGENCY_ENDED";
    lesser.hidden = deeds.hidden;
    setText(fine, t(state === "ALERT_COUNTDOWN" ? "alarm.fine" : "alarm.cancel"));
    setText(call, t("alarm.callNumber", help));
    setAttribute(call, "href", `tel:${help.number}`);
    setText(works, worksFrom(help));
    fine.classList.toggle("main", state === "ALERT_COUNTDOWN");
    call.classList.toggle("main", state !== "ALERT_COUNTDOWN");
    silence.hidden = !incident?.sounder;
    quit.hidden = Boolean(incident?.surveyOpened);
    setText(sound, t(incident?.sounder ? "alarm.soundOn" : "alarm.soundOff"));
  });
  return { deeds, lesser };
}
