import { ask } from "../dom.js";
import { api } from "../api.js";
import { t } from "../texts.js";
import { problemText } from "./forms.js";

/** A new PIN by mail (R10): the old one counts until the new one is first used. */
export async function forgotPIN() {
  const wish = await ask({
    title: t("forgot.title"), text: t("forgot.text"),
    buttons: [
      { label: t("button.cancel") },
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
