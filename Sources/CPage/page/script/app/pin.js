/** What is done with a PIN outside of an alarm; none is kept longer than it takes. */

import { api, Problem } from "../api.js";
import { t } from "../texts.js";
import { askPIN } from "./pinpad.js";
import { problemText } from "./forms.js";

/**
 * Does `send(pin)` with the PIN where the account wants one, which it does after set-up (R7, R16,
 * R17), else `send(undefined)`. Resolves to false where the person cancelled.
 */
export async function withPIN({ model, title, send, signal }) {
  const { isSetUp, hasPIN } = model.status.account;
  if (isSetUp && hasPIN) return askPIN({ title, submit: send, signal, canForget: true });
  await send(undefined);
  return true;
}

/** Resolves where that is the PIN; it changes nothing (R119). */
export const provePIN = (pin) => api.post("/v1/account/pin/check", { pin });

/**
 * Has a PIN chosen, twice, and saves it on the last digit (R6, R9). `current` is the one that
 * counts now. Resolves to the new PIN, to null where the person cancelled.
 */
export async function choosePIN({ current, signal }) {
  let text = null;
  for (;;) {
    let first = null;
    const isChosen = await askPIN({
      title: t("newPIN.choose"), text, signal, submit: async (pin) => { first = pin; },
    });
    if (!isChosen) return null;
    try {
      const isSaved = await askPIN({
        title: t("newPIN.again"), signal,
        submit: async (pin) => {
          if (pin !== first) throw new Problem(0, { code: "differentPIN" });
          await api.put("/v1/account/pin", { pin, current });
        },
      });
      return isSaved ? first : null;
    } catch (problem) {
      if (problem.code !== "differentPIN") throw problem;
      text = t("problem.differentPIN");
    }
  }
}

/** Mails the link that confirms the account's address (R12), and says what became of it. */
export async function confirmationMail(email) {
  try {
    await api.post("/v1/account/confirmation");
    return t("confirmation.sent", { email });
  } catch (problem) {
    return t("confirmation.notSent", { reason: problemText(problem) });
  }
}
