/** The HTTP API of this very server. Every refusal is a `Problem`. */

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

async function send(method, path, body) {
  let response;
  try {
    response = await fetch(path, {
      method,
      cache: "no-store",
      credentials: "same-origin",
      headers: method === "GET" ? {} : { "Content-Type": "application/json" },
      body: method === "GET" ? undefined : JSON.stringify(body ?? {}),
      signal: AbortSignal.timeout(patience),
    });
  } catch {
    throw new Problem(0, { code: "unreachable" });
  }
  const type = response.headers.get("Content-Type") ?? "";
  const answer = type.includes("json") ? await response.json() : null;
  if (!response.ok) {
    const problem = new Problem(response.status, answer ?? { title: response.statusText });
    const wait = Number(response.headers.get("Retry-After"));
    problem.retryAfter = Number.isFinite(wait) && wait > 0 ? wait : null;
    throw problem;
  }
  return answer;
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

export const api = {
  get: (path) => send("GET", path),
  post: (path, body) => send("POST", path, body),
  put: (path, body) => send("PUT", path, body),
  patch: (path, body) => send("PATCH", path, body),
  delete: (path, body) => send("DELETE", path, body),
};

// A browser keeps a document that was left, and its connections with it, of which a host has six:
// its streams let go of theirs on "pagehide", and who comes back to it begins anew.
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
