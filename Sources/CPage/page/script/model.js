/**
 * What is true now, as the core says it: one model for all views. It follows the core's event stream,
 * asks for the status after each line of the log, and tells its age: a view never shows an old value
 * as current.
 */

import { api } from "./api.js";

/** After so long without a word from the core, what stands here is old, ms. */
export const staleAfter = 12_000;
const askEvery = 5_000;

export class Model extends EventTarget {
  /** The last status, and when it came (performance.now()); null before the first. */
  status = null;
  statusAt = 0;
  /** "connecting", "live", "lost", or "loggedOut". */
  connection = "connecting";
  /** The host's boot clock is ahead of performance.now() by so many ms; null until it is known. */
  #source = null;
  #asking = null;
  #again = false;
  #timer = null;

  /** Begins, or begins anew after a login. */
  start() {
    this.#source?.close();
    clearInterval(this.#timer);
    this.#set("connecting");
    this.#timer = setInterval(() => this.refresh(), askEvery);
    this.#listen();
    this.refresh();
  }

  stop() {
    this.#source?.close();
    clearInterval(this.#timer);
  }

  /** How old what stands here is, ms. */
  get age() { return this.status ? performance.now() - this.statusAt : Infinity; }
  get isStale() { return this.connection !== "live" || this.age > staleAfter; }

  /** Asks for the status; calls in between are one. */
  async refresh() {
    if (this.#asking) { this.#again = true; return this.#asking; }
    this.#asking = this.#ask();
    await this.#asking;
    this.#asking = null;
    if (this.#again) { this.#again = false; return this.refresh(); }
  }

  async #ask() {
    try {
      this.take(await api.get("/v1/status"));
    } catch (problem) {
      if (problem.status === 401) {
        this.stop();
        this.#set("loggedOut");
      } else {
        this.#set("lost");
      }
    }
  }

  /** A status that came by another way, as the answer of a refresh. */
  take(status) {
    this.status = status;
    this.statusAt = performance.now();
    this.#set("live");
    this.dispatchEvent(new Event("status"));
  }

  #set(connection) {
    if (this.connection === connection) return;
    this.connection = connection;
    this.dispatchEvent(new Event("connection"));
    if (connection === "live" && this.#source?.readyState === EventSource.CLOSED) this.#listen();
  }

  /** The browser resumes by Last-Event-ID. */
  #listen() {
    this.#source?.close();
    const source = new EventSource("/v1/events?form=line");
    this.#source = source;
    source.addEventListener("status", () => this.refresh());
    source.addEventListener("line", (event) => {
      this.dispatchEvent(new CustomEvent("line", { detail: JSON.parse(event.data) }));
      this.refresh();
    });
    source.addEventListener("open", () => this.refresh());
    source.addEventListener("error", () => this.refresh());
  }
}

/** Calls `show` now and at each of the model's events until `signal` is aborted. */
export function follow(model, events, signal, show) {
  for (const event of events) model.addEventListener(event, show, { signal });
  show();
}
