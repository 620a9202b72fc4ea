/** The page's finger on the keychain's button: what goes down comes up again, and in that order. */

import { api } from "../api.js";
import { sessionHeaders } from "../session.js";
import { figure } from "../texts.js";

const path = (device) => `/v1/bench/keychains/${encodeURIComponent(device)}/control`;

/** The keychain, or the core, has said no; else nobody knows what became of it. */
const isRefusal = ({ status }) => status >= 400 && status < 500;

/** Asks something of an emulated keychain; its answer, or a `Problem` with its reason. */
export const control = (device, request) => api.post(path(device), request);

/**
 * A finger for one keychain. `tell(word, values)` hears "pressing", "committed" {event, ms},
 * "released" {event, seconds}, "letGone"; with {problem} "refused", "unanswered", "releaseFailed".
 */
export function finger(device, tell) {
  let isDown = false;
  let downAt = 0;
  /** Each order waits for the answer to the one before. */
  let last = Promise.resolve();
  let waiting = 0;
  let restedAt = performance.now();
  /** The number of the press that the firmware has stored. */
  let event = null;

  function then(order) {
    waiting += 1;
    last = last.then(order).finally(() => {
      waiting -= 1;
      restedAt = performance.now();
    });
  }

  async function hold(since) {
    event = null;
    try {
      ({ event } = await control(device, { do: "hold" }));
      tell("committed", { event, ms: Math.round(performance.now() - since) });
    } catch (problem) {
      tell(isRefusal(problem) ? "refused" : "unanswered", { problem });
    }
  }

  /** `isOwn`: after a hold of this page. */
  async function release(held, isOwn = true) {
    try {
      await control(device, { do: "release" });
      tell(event ? "released" : "letGone", { event, seconds: figure(held / 1000, 1) });
    } catch (problem) {
      // After a hold that came to nothing there is nothing to release, and no news in that.
      if (event || !isOwn) tell("releaseFailed", { problem });
    }
  }

  return {
    device,
    get isDown() { return isDown; },
    /** When the keychain last did what this finger said; now, while it has not. */
    get restedAt() { return isDown || waiting ? performance.now() : restedAt; },

    down() {
      if (isDown) return;
      isDown = true;
      downAt = performance.now();
      tell("pressing");
      then(() => hold(downAt));
    },

    up() {
      if (!isDown) return;
      isDown = false;
      const held = performance.now() - downAt;
      then(() => release(held));
    },

    /** The page goes away: what it holds is let go without waiting for an answer. */
    leave() {
      if (!isDown && !waiting) return;
      isDown = false;
      fetch(path(device), {
        method: "POST", keepalive: true, credentials: "same-origin",
        headers: { ...sessionHeaders(), "Content-Type": "application/json" },
        body: JSON.stringify({ do: "release" }),
      }).catch(() => {});
    },

    /** A press as a whole, for who cannot hold: a voice, a switch, a screen reader. */
    tap() {
      this.down();
      this.up();
    },

    /** Lets go of a button that something else holds. */
    letGo() {
      then(() => {
        event = null;
        return release(0, false);
      });
    },
  };
}

const isHolding = (event) => event.key === " " || event.key === "Enter";

/**
 * Ties a button of the page to `of()`, the finger of now: pointer, Space and Enter hold it. The
 * focus may move on while it is held, as when the alarm comes into view; the hold goes on.
 */
export function tie(button, of) {
  let pointer = null;
  let isKeyDown = false;
  const up = () => {
    pointer = null;
    isKeyDown = false;
    of()?.up();
  };
  button.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || pointer !== null || isKeyDown) return;
    pointer = event.pointerId;
    button.setPointerCapture(pointer);
    of()?.down();
  });
  for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) {
    button.addEventListener(name, (event) => { if (event.pointerId === pointer) up(); });
  }
  button.addEventListener("keydown", (event) => {
    if (!isHolding(event)) return;
    event.preventDefault();
    if (event.repeat || isKeyDown || pointer !== null) return;
    isKeyDown = true;
    of()?.down();
  });
  // The key that is held repeats itself wherever the focus is now: that is no answer to a question.
  addEventListener("keydown", (event) => {
    if (isKeyDown && isHolding(event) && event.repeat) event.preventDefault();
  }, { capture: true });
  addEventListener("keyup", (event) => {
    if (!isKeyDown || !isHolding(event)) return;
    event.preventDefault();
    up();
  }, { capture: true });
  // Neither pointer nor key: a voice or a screen reader says "click".
  button.addEventListener("click", (event) => {
    if (event.detail === 0 && pointer === null && !isKeyDown) of()?.tap();
  });
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  addEventListener("blur", up);
  addEventListener("pagehide", () => of()?.leave());
}
