/**
 * The session's key, which a login answers with. The cookie alone lets nobody in: a browser hands
 * it to every port of a host, and this to the page's own origin alone. It is no cookie's, so all
 * tabs of that origin have it, and no other page. A code that a link brings is taken here, too.
 */

const name = "fob-session-key";
/** Where the browser keeps nothing for the page. */
let held = null;

export function keepKey(key) {
  held = key;
  try {
    localStorage.setItem(name, key);
  } catch {
    // This tab has it.
  }
}

export function dropKey() {
  held = null;
  try {
    localStorage.removeItem(name);
  } catch {
    // There is none.
  }
}

function key() {
  try {
    return localStorage.getItem(name) ?? held;
  } catch {
    return held;
  }
}

/** What each request of the page has beside the cookie. */
export function sessionHeaders() {
  const own = key();
  return own ? { "Fob-Session-Key": own } : {};
}

/** The code of a link that was followed: no server is sent it, and the address loses it at once. */
let followed = null;

function takeFromAddress() {
  const [, code] = /^#code=([\w-]+)$/.exec(location.hash) ?? [];
  if (!code) return;
  followed = code;
  history.replaceState(null, "", location.pathname);
}

/** That code, once; null where there is none. */
export function followedCode() {
  const code = followed;
  followed = null;
  return code;
}

takeFromAddress();
addEventListener("hashchange", takeFromAddress);
