/** What this browser keeps of the owner beside the key. */

import { forgetFormat } from "../clock.js";
import { forgetLanguage } from "../language.js";
import { dropDraft } from "./draft.js";
import { dropReviewDrafts } from "./review/drafts.js";

/** Drops it, and loads the page anew: nothing of what was shown stays behind. */
export function forgetOwner() {
  forgetLanguage();
  forgetFormat();
  dropDraft();
  dropReviewDrafts();
  location.replace("/");
}
