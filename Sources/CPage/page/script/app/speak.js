import { api } from "../api.js";
import { learnLanguage } from "../language.js";

/** Speaks as the account does: the page is loaded anew where that is another language. */
export async function speakAccountLanguage() {
  let language;
  try {
    ({ language } = await api.get("/v1/account"));
  } catch {
    // Without an account the browser decides.
    return;
  }
  if (learnLanguage(language)) location.reload();
}
