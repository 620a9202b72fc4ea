/**
 * What the bench tells: a snapshot by GET /v1/bench, and what happened since by server-sent events.
 * One stream for a document, which resumes by itself.
 */

import { api, joined } from "../api.js";
import { EventStream } from "../stream.js";

/** While nothing is heard, it is tried again so often, ms. */
const tryEvery = 2_000;
/** Events ask for a new snapshot, or a new state, at most so often, ms. */
const snapshotsApart = 2_000;
const statesApart = 200;

/** Not "light": the lamp goes by LED_STATE, and the edges of fifty lights are hundreds a second. */
const names = [
  "keychain", "shown", "stages", "located", "notice", "frame", "conformance", "gap",
];
/** Of the names of `keychain` events: those after which the snapshot is another. */
const turning = new Set([
  "plugged", "unplugged", "host_opened", "host_closed", "linked", "power_cut", "booted", "died",
]);

/**
 * Its events are those of `names` with the parsed data as `detail`; "bench" when a snapshot or a
 * keychain's state is there; "connection".
 */
export class Feed extends EventTarget {
  /** The last snapshot; null before the first. Keychains have `stateAt`, of performance.now(). */
  bench = null;
  /** "idle", "connecting", "live", "lost", "loggedOut", or "absent" where the core has no bench. */
  connection = "idle";
  /** LED_STATE of each device as the host heard it last: {shown, sounder, at}. */
  shown = new Map();

  #wire;
  #source = null;
  #lastID = null;
  #timer = null;
  #later = null;
  #askedAt = -Infinity;
  #states = new Map();
  /** Host's boot clock minus performance.now(), and wall clock minus boot clock, ms. */
  #bootAhead = 0;
  #wallAhead = 0;

  /** `wire`: frames are wanted too. */
  constructor({ wire = false } = {}) {
    super();
    this.#wire = wire;
    addEventListener("pagehide", () => this.stop());
  }

  /** Begins, or begins anew after a login. */
  start() {
    this.#end("connecting");
    // What happened while nobody was logged in is not asked for.
    if (this.#lastID !== null) this.dispatchEvent(new CustomEvent("gap", { detail: { lost: 0 } }));
    this.#lastID = null;
    this.#timer = setInterval(() => { if (this.connection !== "live") this.refresh(); }, tryEvery);
    this.refresh();
  }

  stop() { this.#end("idle"); }

  #end(connection) {
    this.#source?.close();
    this.#source = null;
    clearInterval(this.#timer);
    clearTimeout(this.#later);
    this.#later = null;
    this.#set(connection);
  }

  /** The host's boot clock now, µs; as `at` of the events. */
  get now() { return (performance.now() + this.#bootAhead) * 1000; }
  /** Of a moment on the host's boot clock: µs since 1970. */
  wallOf(at) { return at + this.#wallAhead * 1000; }
  /** Of a moment on the host's boot clock: on performance.now(), ms. */
  pageTimeOf(at) { return at / 1000 - this.#bootAhead; }

  /** The emulated keychain of that name in the last snapshot. */
  keychain(device) { return this.bench?.keychains.find((one) => one.device === device) ?? null; }

  /** Asks for a snapshot; calls in between are one. */
  refresh = joined(() => this.#ask());

  get #isAsking() { return ["connecting", "live", "lost"].includes(this.connection); }

  async #ask() {
    if (!this.#isAsking) return;
    const asked = performance.now();
    this.#askedAt = asked;
    let bench;
    try {
      bench = await api.get("/v1/bench");
    } catch (problem) {
      if (this.#isAsking) this.#failed(problem);
      return;
    }
    if (!this.#isAsking) return;
    const answered = performance.now();
    this.#bootAhead = bench.now / 1000 - (asked + answered) / 2;
    this.#wallAhead = (bench.wall - bench.now) / 1000;
    for (const keychain of bench.keychains) keychain.stateAt = answered;
    this.bench = bench;
    this.#lastID ??= bench.last;
    if (!this.#source || this.#source.readyState === EventStream.CLOSED) this.#listen();
    else if (this.#source.readyState === EventStream.OPEN) this.#set("live");
    this.dispatchEvent(new Event("bench"));
  }

  #failed(problem) {
    if (problem.status === 401) {
      this.#end("loggedOut");
    } else if (problem.status === 404) {
      this.bench = null;
      this.#end("absent");
    } else {
      this.#set("lost");
    }
  }

  #set(connection) {
    if (this.connection === connection) return;
    this.connection = connection;
    this.dispatchEvent(new Event("connection"));
  }

  /** The stream resumes by Last-Event-ID; one that was refused is opened from there. */
  #listen() {
    const query = new URLSearchParams({ after: this.#lastID });
    if (this.#wire) query.set("wire", "1");
    const source = new EventStream(`/v1/bench/events?${query}`);
    this.#source = source;
    for (const name of names) {
      source.addEventListener(name, (event) => this.#take(name, event));
    }
    source.addEventListener("open", () => {
      if (this.connection === "connecting") this.#set("live");
      else this.refresh();
    });
    source.addEventListener("error", () => {
      if (this.#source !== source) return;
      this.#set("lost");
      this.refresh();
    });
  }

  #take(name, event) {
    if (event.lastEventId) this.#lastID = event.lastEventId;
    const detail = JSON.parse(event.data);
    // Nothing comes from the future: this host or that one has slept.
    if (detail.at > this.now) this.#bootAhead = detail.at / 1000 - performance.now();
    if (name === "shown") this.shown.set(detail.device, detail);
    if (name === "keychain" && detail.name === "shown") this.#takeShown(detail);
    const isOther = name === "keychain" && turning.has(detail.name);
    if (isOther || name === "notice" || name === "gap") this.#refreshSoon();
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  #takeShown({ device, shown, detail, sounder }) {
    const keychain = this.keychain(device);
    if (keychain) Object.assign(keychain.state, { shown, detail, sounder });
  }

  #refreshSoon() {
    this.#later ??= setTimeout(() => {
      this.#later = null;
      this.refresh();
    }, Math.max(0, this.#askedAt + snapshotsApart - performance.now()));
  }

  /** Asks one keychain how it is, where the snapshot is too much; calls in between are one. */
  refreshState(device) {
    const asking = this.#states.get(device);
    if (asking) return asking;
    const asked = this.#askState(device);
    this.#states.set(device, asked);
    return asked;
  }

  async #askState(device) {
    await new Promise((wake) => setTimeout(wake, statesApart));
    this.#states.delete(device);
    try {
      const state = await api.post(
        `/v1/bench/keychains/${encodeURIComponent(device)}/control`, { do: "state" });
      const keychain = this.keychain(device);
      if (!keychain) return;
      keychain.state = state;
      keychain.stateAt = performance.now();
      this.dispatchEvent(new Event("bench"));
    } catch (problem) {
      if (problem.status === 401 && this.#isAsking) this.#failed(problem);
    }
  }
}
