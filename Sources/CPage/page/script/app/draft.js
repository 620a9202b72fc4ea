/**
 * What is being written in the editor of check-ins, kept in the browser (R110): an alarm, a reload
 * or a crash loses none of it.
 */

const name = "fob-check-in-draft";

/** `{ path, values }`: the editor's address below the view's, and what its fields have. */
export function keepDraft(draft) {
  try {
    localStorage.setItem(name, JSON.stringify(draft));
  } catch {
    // The browser keeps nothing for the page.
  }
}

/** The draft that was left behind; null where there is none. */
export function keptDraft() {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

export function dropDraft() {
  try {
    localStorage.removeItem(name);
  } catch {
    // There is none.
  }
}
