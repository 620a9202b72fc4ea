/**
 * What is true now, as the core says it: one model for all views. It follows the core's event
 * stream, asks for the status after each log entry, and tells its age: a view never shows an
 * old value as current.
 */

import { api, joined } from "./api.js";
import { EventStream } from "./stream.js";

/** After so long without a word from the core, what stands here is old, ms. */
export const staleAfter = 12_000;
const askEvery = 5_000;
const tick = 250;

export class Model extends EventTarget {
  /** The last status, and when it came (performance.now()); null before the first. */
  status = null;
  statusAt = 0;
  /** "connecting", "live", "lost", or "loggedOut". */
  connection = "connecting";
  #source = null;
  #timer = null;

  constructor() {
    super();
    addEventListener("pagehide", () => this.stop());
    setInterval(() => this.dispatchEvent(new Event("tick")), tick);
  }

  /** Begins, or begins anew after a login. */
  start() {
    this.stop();
    this.#set("connecting");
    this.#timer = setInterval(() => {
      // A stream that was refused is not tried again by itself.
      if (this.#source?.readyState === EventStream.CLOSED) this.#listen();
      this.refresh();
    }, askEvery);
    this.#listen();
    return this.refresh();
  }

  stop() {
    this.#source?.close();
    clearInterval(this.#timer);
  }

  /** How old what stands here is, ms. */
  get age() { return this.status ? performance.now() - this.statusAt : Infinity; }
  get isStale() { return this.connection !== "live" || this.age > staleAfter; }

  /**
   * How long it is until a moment of the core, ms, by the core's clock; negative where it is past.
   */
  until(moment) {
    const { now } = this.status;
    const then = moment.boot === now.boot ? moment.instant - now.instant : moment.wall - now.wall;
    return then / 1000 - this.age;
  }

  /** How long ago that was, where `wall` is µs since 1970 by the core's clock, ms. */
  since(wall) { return (this.status.now.wall - wall) / 1000 + this.age; }

  /** Asks for the status; calls in between are one. */
  refresh = joined(() => this.#ask());

  async #ask() {
    const askedAt = performance.now();
    try {
      this.take(await api.get("/v1/status"), askedAt);
    } catch (problem) {
      this.failed(problem);
    }
  }

  /**
   * A status that came, also by another way, as the answer of a refresh, asked for at `askedAt`.
   */
  take(status, askedAt = performance.now()) {
    const now = performance.now();
    this.status = status;
    // It was true at some time between question and answer; one that took long is at its end.
    this.statusAt = now - Math.min((now - askedAt) / 2, 500);
    this.#set("live");
    this.dispatchEvent(new Event("status"));
  }

  /** A question was not answered. */
  failed(problem) {
    if (problem.status === 401) {
      this.stop();
      this.#set("loggedOut");
    } else {
      this.#set("lost");
    }
  }

  #set(connection) {
    if (this.connection === connection) return;
    this.connection = connection;
    this.dispatchEvent(new Event("connection"));
    if (connection === "live" && this.#source?.readyState === EventStream.CLOSED) this.#listen();
  }

  /** The stream resumes by Last-Event-ID. */
  #listen() {
    this.#source?.close();
    const source = new EventStream("/v1/events?form=line");
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

/**
 * Calls `show` now, four times a second, and at once where the status or the connection changes,
 * until `signal` is aborted: for what ages or counts down. All of it changes together.
 */
export function atTicks(model, signal, show) {
  follow(model, ["tick", "status", "connection"], signal, show);
}
