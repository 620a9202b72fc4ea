/** The HTTP API of this very server. Every refusal is a `Problem`. */

import { sessionHeaders } from "./session.js";

export class Problem extends Error {
  /** `body` is the API's problem document (RFC 9457); `code` "unreachable" where nobody answers. */
  constructor(status, body) {
    super(body.detail ?? body.title ?? String(status));
    this.status = status;
    this.code = body.code ?? "unknown";
    this.body = body;
  }
}

const patience = 15_000;

async function answered(method, path, body, more = {}) {
  let response;
  try {
    response = await fetch(path, {
      method,
      cache: "no-store",
      credentials: "same-origin",
      headers: {
        ...sessionHeaders(), ...(method === "GET" ? {} : { "Content-Type": "application/json" }),
        ...more,
      },
      body: method === "GET" ? undefined : JSON.stringify(body ?? {}),
      signal: AbortSignal.timeout(patience),
    });
  } catch {
    throw new Problem(0, { code: "unreachable" });
  }
  if (response.ok) return response;
  const problem = new Problem(
    response.status, await json(response) ?? { title: response.statusText });
  const wait = Number(response.headers.get("Retry-After"));
  problem.retryAfter = Number.isFinite(wait) && wait > 0 ? wait : null;
  throw problem;
}

async function json(response) {
  const type = response.headers.get("Content-Type") ?? "";
  return type.includes("json") ? response.json() : null;
}

const send = async (method, path, body, more) =>
  json(await answered(method, path, body, more));

/** A file, and the name that the server gives it. */
async function file(path) {
  const response = await answered("GET", path);
  const named = response.headers.get("Content-Disposition") ?? "";
  return { blob: await response.blob(), name: /filename="([^"]*)"/.exec(named)?.[1] ?? "" };
}

/** `ask` as a function that asks once at a time: calls while it asks are one more question behind. */
export function joined(ask) {
  let asking = null;
  let again = false;
  return async function refresh() {
    if (asking) { again = true; return asking; }
    asking = ask();
    await asking;
    asking = null;
    if (again) { again = false; return refresh(); }
  };
}

/** `more` are further headers; `text` is a file as it is. */
export const api = {
  text: async (path) => (await answered("GET", path)).text(),
  get: (path, _, more) => send("GET", path, undefined, more),
  post: (path, body, more) => send("POST", path, body, more),
  put: (path, body, more) => send("PUT", path, body, more),
  patch: (path, body, more) => send("PATCH", path, body, more),
  delete: (path, body, more) => send("DELETE", path, body, more),
  file,
};

// A browser keeps a document that was left, and its connections with it, of which a host has six:
// its streams let go of theirs on "pagehide", and who comes back to it begins anew.
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
