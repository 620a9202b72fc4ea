/**
 * Asks for the PIN: four boxes, filled by mouse, touch or keyboard, and sent by the fourth digit
 * (R6). A wrong PIN says so; Try Again clears it, Cancel goes back, and nothing has changed (R8).
 * The PIN is held while it is typed and nowhere else.
 */

import { h, setText } from "../dom.js";
import { minutesAndSeconds, t } from "../texts.js";
import { forgotPIN } from "./forgot.js";

const length = 4;
/** What a further try can mend: these are shown in the dialog, all else is the caller's. */
const mendable = new Set(["wrongPIN", "pinBlocked", "busy", "unreachable"]);

/**
 * A dialog with a PIN pad. `submit(pin)` returns a promise; while it is refused for the PIN, the
 * dialog stays; `signal` closes it from outside. `canForget` offers a new PIN by mail (R10, R118).
 * `back` is what the way back is called.
 *
 * Resolves to true once `submit` was fulfilled, to false where the person cancelled; is rejected
 * with the Problem of `submit` where that is not about the PIN.
 */
export function askPIN({
  title, text = null, submit, signal = null, canForget = false, back = t("button.cancel"),
}) {
  return new Promise((resolve, reject) => {
    const pad = makePad({ title, text, canForget, back });
    const { dialog, input } = pad;
    let outcome = () => resolve(false);
    let isSending = false;
    let ticking = null;

    const end = (how) => {
      outcome = how;
      dialog.close();
    };
    const clear = () => {
      input.value = "";
      pad.showDigits();
    };
    const block = (seconds) => {
      const until = performance.now() + seconds * 1000;
      const tick = () => {
        const left = until - performance.now();
        setText(pad.wait, left > 0 ? minutesAndSeconds(left) : "");
        if (left > 0) return;
        clearInterval(ticking);
        ticking = null;
        pad.say(t("pin.mayTry"), "");
        pad.enable(true);
        input.focus();
      };
      clear();
      pad.enable(false);
      pad.say(t("pin.blocked"), "error");
      ticking = setInterval(tick, 250);
      tick();
    };
    const refuse = (problem) => {
      if (!mendable.has(problem.code)) return end(() => reject(problem));
      if (problem.code === "pinBlocked") return block(problem.retryAfter ?? 30);
      pad.enable(true);
      pad.say(t(`pin.${problem.code}`), "error");
      pad.offerAgain(true);
      pad.again.focus();
    };
    const send = async () => {
      const pin = input.value;
      isSending = true;
      pad.enable(false);
      pad.say(t("pin.checking"), "");
      try {
        await submit(pin);
        end(() => resolve(true));
      } catch (problem) {
        clear();
        refuse(problem);
      } finally {
        isSending = false;
      }
    };
    const type = (digit) => {
      if (isSending || ticking) return;
      if (!pad.again.disabled) startAgain();
      if (input.value.length < length) input.value += digit;
      taken();
    };
    const taken = () => {
      input.value = input.value.replace(/\D/g, "").slice(0, length);
      pad.showDigits();
      if (input.value.length === length && !isSending) send();
    };
    const startAgain = () => {
      clear();
      pad.offerAgain(false);
      pad.say("", "");
      input.focus();
    };

    input.addEventListener("input", () => {
      if (!pad.again.disabled) {
        pad.offerAgain(false);
        pad.say("", "");
      }
      taken();
    });
    dialog.addEventListener("keydown", (event) => {
      if (event.target === input || event.ctrlKey || event.altKey || event.metaKey) return;
      if (/^[0-9]$/.test(event.key)) type(event.key);
      if (event.key === "Backspace") pad.erase.click();
    });
    for (const key of pad.keys) key.addEventListener("click", () => type(key.value));
    pad.erase.addEventListener("click", () => {
      input.value = input.value.slice(0, -1);
      pad.showDigits();
    });
    pad.again.addEventListener("click", startAgain);
    pad.cancel.addEventListener("click", () => end(() => resolve(false)));
    signal?.addEventListener("abort", () => dialog.close(), { once: true });
    dialog.addEventListener("close", () => {
      clearInterval(ticking);
      input.value = "";
      dialog.remove();
      outcome();
    });
    document.body.append(dialog);
    dialog.showModal();
    input.focus();
  });
}

/** The parts of the dialog; their room is reserved, so that nothing moves under a finger. */
function makePad({ title, text, canForget, back }) {
  const input = h("input", {
    type: "password", inputmode: "none", autocomplete: "one-time-code", maxlength: length,
    pattern: "[0-9]*", "aria-label": t("pin.label"), "aria-describedby": "pin-message",
  });
  const boxes = Array.from({ length }, () => h("span", {}));
  const message = h("p", { class: "pin-message", id: "pin-message", role: "status" });
  const wait = h("p", { class: "pin-wait figures", "aria-hidden": "true" });
  const key = (digit) => h("button", { type: "button", value: digit }, digit);
  const keys = [..."1234567890"].map(key);
  const erase = h("button", { type: "button", "aria-label": t("pin.erase") }, "⌫");
  const again = h("button", { type: "button", class: "absent", disabled: true },
    t("button.tryAgain"));
  const cancel = h("button", { type: "button" }, back);
  const dialog = h("dialog", { class: "pin", "aria-labelledby": "pin-title" },
    h("h2", { id: "pin-title" }, title),
    text ? h("p", {}, text) : null,
    h("div", { class: "pin-entry" }, h("div", { class: "pin-boxes", "aria-hidden": "true" }, boxes),
      input),
    message, wait,
    h("div", { class: "pin-keys" }, keys.slice(0, 9), erase, keys[9]),
    h("div", { class: "buttons" }, cancel, again),
    canForget ? h("button", {
      type: "button", class: "forgot", on: { click: () => forgotPIN(back) },
    }, t("forgot.title")) : null);
  for (const button of [...keys, erase]) {
    // A mouse or finger leaves the focus where the keyboard types.
    button.addEventListener("pointerdown", (event) => event.preventDefault());
  }
  return {
    dialog, input, keys, erase, again, cancel, wait,
    showDigits() {
      boxes.forEach((box, place) => box.classList.toggle("filled", place < input.value.length));
    },
    say(words, kind) {
      setText(message, words);
      message.className = `pin-message ${kind}`;
    },
    offerAgain(isOffered) {
      again.disabled = !isOffered;
      again.classList.toggle("absent", !isOffered);
    },
    enable(isEnabled) {
      for (const button of [...keys, erase]) button.disabled = !isEnabled;
      input.readOnly = !isEnabled;
    },
  };
}
