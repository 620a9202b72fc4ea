/**
 * What was typed in a review and is not saved: it is kept in this browser alone, so that an alarm,
 * a reload or a crash loses none of it.
 */

const store = "fob-review-drafts";

function all() {
  try {
    return JSON.parse(localStorage.getItem(store)) ?? {};
  } catch {
    return {};
  }
}

function keep(drafts) {
  try {
    if (Object.keys(drafts).length === 0) localStorage.removeItem(store);
    else localStorage.setItem(store, JSON.stringify(drafts));
  } catch {
    // The browser keeps nothing for the page.
  }
}

/** The draft of one step of one review: `text()`, null where there is none, and `keep(text)`. */
export function draftOf(review, step) {
  const name = `${review.id}/${review.createdAt}/${step}`;
  return {
    text: () => all()[name] ?? null,
    /** Null: it is not needed any more. */
    keep(text) {
      const drafts = all();
      if (text === null) delete drafts[name];
      else drafts[name] = text;
      keep(drafts);
    },
  };
}

/** Nothing of what was written stays behind. */
export const dropReviewDrafts = () => keep({});
