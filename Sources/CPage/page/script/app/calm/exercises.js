/** How the exercises stand, for the cards of breathing and grounding: asked for once for both. */

import { h, setText } from "../../dom.js";
import { api, joined } from "../../api.js";
import { t } from "../../texts.js";
import { problemText } from "../forms.js";

/** The light changes without a log entry, and clicks count items of grounding, ms. */
const askEvery = 1_000;

/**
 * Dispatches "change" after each answer; `status` is as of `at`, by performance.now(). It asks
 * after each log entry of an exercise, and each second while one runs, until `signal` is aborted.
 */
export class Exercises extends EventTarget {
  status = null;
  at = 0;
  problem = "";

  constructor({ model, signal }) {
    super();
    this.signal = signal;
    model.addEventListener("line", ({ detail }) => {
      if (detail.name.startsWith("exercise")) this.ask();
    }, { signal });
    const timer = setInterval(() => {
      if (this.status?.running) this.ask();
    }, askEvery);
    signal.addEventListener("abort", () => clearInterval(timer));
    this.ask();
  }

  /** Which exercise runs now, or undefined. */
  get running() { return this.status?.running; }

  /** How long ago the answer was true, ms. */
  get age() { return performance.now() - this.at; }

  ask = joined(async () => {
    const askedAt = performance.now();
    try {
      this.#take(await api.get("/v1/exercises"), askedAt);
    } catch (problem) {
      this.problem = problemText(problem);
      this.#tell();
    }
  });

  /** Starts, stops or counts; the answer is how they stand then. */
  async tell(what) {
    const askedAt = performance.now();
    this.#take(await api.post(`/v1/exercises/${what}`, {}), askedAt);
  }

  /** The core answered between the two moments: halfway is wrong by half of it at the most. */
  #take(status, askedAt) {
    this.status = status;
    this.at = (askedAt + performance.now()) / 2;
    this.problem = "";
    this.#tell();
  }

  #tell() {
    if (!this.signal.aborted) this.dispatchEvent(new Event("change"));
  }
}

/** A card with its title and a place for what was refused: `{ element, refuse(text) }`. */
export function card(name, ...content) {
  const refused = h("p", { class: "error general", role: "alert" });
  return {
    element: h("section", { class: "card", "aria-labelledby": `${name}-title` },
      h("h2", { id: `${name}-title` }, t(`${name}.title`)), h("p", {}, t(`${name}.text`)),
      refused, ...content),
    refuse: (text) => setText(refused, text),
  };
}
