import { ask } from "../dom.js";
import { api } from "../api.js";
import { t } from "../texts.js";
import { problemText } from "./forms.js";

/**
 * A new PIN by mail (R10), in an alarm, too (R118): the old one counts until the new one is first
 * used. `back` is what the way back is called.
 */
export async function forgotPIN(back = t("button.cancel")) {
  const lack = await lackOfMail();
  if (lack) {
    return ask({
      title: t("forgot.notSent"), text: lack, buttons: [{ label: t("button.ok"), kind: "main" }],
    });
  }
  const wish = await ask({
    title: t("forgot.title"), text: t("forgot.text"),
    buttons: [
      { label: back },
      { label: t("forgot.send"), value: "send", kind: "main" },
    ],
  });
  if (wish !== "send") return;
  await ask({ ...await send(), buttons: [{ label: t("button.ok"), kind: "main" }] });
}

/** Where there is no address, no mail is offered (R12): why, else "". */
async function lackOfMail() {
  try {
    const { confirmation } = await api.get("/v1/account");
    return confirmation === "noAddress" ? t("confirmation.noAddress") : "";
  } catch {
    return "";
  }
}

async function send() {
  try {
    await api.post("/v1/account/pin/forgot");
    return { title: t("forgot.title"), text: t("forgot.sent") };
  } catch (problem) {
    return { title: t("forgot.notSent"), text: problemText(problem) };
  }
}
