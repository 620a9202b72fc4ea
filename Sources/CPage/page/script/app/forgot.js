import { ask } from "../dom.js";
import { api } from "../api.js";
import { t } from "../texts.js";
import { problemText } from "./forms.js";

/**
 * A new PIN by mail (R10), in an alarm, too (R118): the old one counts until the new one is first
 * used. `back` is what the way back is called.
 */
export async function forgotPIN(back = t("button.cancel")) {
  const wish = await ask({
    title: t("forgot.title"), text: t("forgot.text"),
    buttons: [
      { label: back },
      { label: t("forgot.send"), value: "send", kind: "main" },
    ],
  });
  if (wish !== "send") return;
  let said;
  try {
    await api.post("/v1/account/pin/forgot");
    said = { title: t("forgot.title"), text: t("forgot.sent") };
  } catch (problem) {
    said = { title: t("forgot.notSent"), text: problemText(problem) };
  }
  await ask({ ...said, buttons: [{ label: t("button.ok"), kind: "main" }] });
}
