/**
 * Server-sent events (HTML Living Standard, 9.2) as EventSource has them, but by fetch: EventSource
 * sends no header, and the session's key is one. A stream that ends is opened again where it was;
 * one that is refused is closed.
 */

import { sessionHeaders } from "./session.js";

export class EventStream extends EventTarget {
  static CONNECTING = 0;
  static OPEN = 1;
  static CLOSED = 2;

  readyState = EventStream.CONNECTING;
  #path;
  #lastID = "";
  #retry = 1_000;
  #leaving = new AbortController();

  constructor(path) {
    super();
    this.#path = path;
    this.#run();
  }

  close() {
    this.readyState = EventStream.CLOSED;
    this.#leaving.abort();
  }

  get #isClosed() { return this.readyState === EventStream.CLOSED; }

  async #run() {
    while (!this.#isClosed) {
      try {
        if (await this.#open()) return;
      } catch {
        // The line is lost, or the stream was closed here.
      }
      if (this.#isClosed) return;
      this.readyState = EventStream.CONNECTING;
      this.dispatchEvent(new Event("error"));
      await new Promise((wake) => setTimeout(wake, this.#retry));
    }
  }

  /** Returns true where it was refused, and undefined at its end. */
  async #open() {
    const response = await fetch(this.#path, {
      cache: "no-store",
      credentials: "same-origin",
      headers: {
        Accept: "text/event-stream", ...sessionHeaders(),
        ...(this.#lastID ? { "Last-Event-ID": this.#lastID } : {}),
      },
      signal: this.#leaving.signal,
    });
    if (this.#isClosed) return true;
    const type = response.headers.get("Content-Type") ?? "";
    if (!response.ok || !type.startsWith("text/event-stream")) {
      this.close();
      this.dispatchEvent(new Event("error"));
      return true;
    }
    this.readyState = EventStream.OPEN;
    this.dispatchEvent(new Event("open"));
    await this.#read(response.body.pipeThrough(new TextDecoderStream()).getReader());
  }

  async #read(reader) {
    let rest = "";
    let fields = {};
    for (;;) {
      const { done, value } = await reader.read();
      if (done || this.#isClosed) return;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines) {
        if (line === "") {
          this.#take(fields);
          fields = {};
        } else {
          const [, name, text] = /^([^:]*):? ?(.*)$/.exec(line);
          fields[name] = name === "data" && "data" in fields ? `${fields.data}\n${text}` : text;
        }
      }
    }
  }

  #take({ id, event, data, retry }) {
    if (id !== undefined) this.#lastID = id;
    if (/^\d+$/.test(retry ?? "")) this.#retry = Number(retry);
    if (data === undefined || this.#isClosed) return;
    this.dispatchEvent(new MessageEvent(event ?? "message", { data, lastEventId: this.#lastID }));
  }
}
