/** Settings: behind the PIN, which is held while they are shown and no longer (R7, R19). */

import { ask, h, setText } from "../dom.js";
import { api } from "../api.js";
import { chosenLanguage, chooseLanguage, languages } from "../language.js";
import { dropKey } from "../session.js";
import { bringTexts, t } from "../texts.js";
import { askPIN } from "./pinpad.js";
import { action, field, problemText } from "./forms.js";
import { forgotPIN } from "./forgot.js";
import { provePIN } from "./pin.js";
import { forgetOwner } from "./forget.js";
import { accountPart } from "./settings/account.js";
import { erasurePart } from "./settings/erasure.js";
import { keychainsPart } from "./settings/keychains.js";
import { pinPart } from "./settings/pin.js";
import { placesPart } from "./settings/places.js";
import { remindersPart } from "./settings/reminders.js";

await bringTexts("settings", "setup");

/** Settings that nobody touches are locked again after so long, ms. */
const untouched = 5 * 60_000;

export const settings = {
  name: "settings",
  title: "settings.title",

  show(root, model, signal) {
    const place = h("div", {});
    root.append(h("h1", {}, t("settings.title")), place, sessionPart());
    /** What the parts share; `pin` is undefined where the account has none. */
    const hold = { pin: undefined, lock };
    let idle = null;
    let leaving = new AbortController();

    function lock(text = "") {
      hold.pin = undefined;
      leaving.abort();
      clearTimeout(idle);
      const refused = h("p", { class: "error general", role: "alert" });
      const refuse = (words) => setText(refused, words);
      place.replaceChildren(h("section", { class: "card" },
        h("h2", {}, t("settings.locked")),
        h("p", {}, t("settings.locked.text")), refused,
        h("div", { class: "buttons" },
          action({ label: t("pin.enter"), kind: "main", work: unlock, refused: refuse }),
          action({ label: t("forgot.title"), work: forgotPIN, refused: refuse }))));
      refuse(text);
    }

    async function unlock() {
      let typed;
      const isRight = await askPIN({
        title: t("pin.enter"), signal, canForget: true,
        submit: async (pin) => {
          await provePIN(pin);
          typed = pin;
        },
      });
      if (!isRight) return;
      hold.pin = typed;
      await open();
      place.querySelector("input")?.focus();
    }

    async function open() {
      const account = await api.get("/v1/account");
      if (signal.aborted) return;
      leaving.abort();
      leaving = new AbortController();
      const inner = AbortSignal.any([signal, leaving.signal]);
      const parts = [accountPart, pinPart, keychainsPart, placesPart, remindersPart, erasurePart]
        .map((part) => part({ model, account, hold, signal: inner }));
      place.replaceChildren(...parts);
      touch();
    }

    function touch() {
      if (hold.pin === undefined) return;
      clearTimeout(idle);
      idle = setTimeout(lock, untouched);
    }

    signal.addEventListener("abort", () => {
      hold.pin = undefined;
      clearTimeout(idle);
    });
    for (const event of ["keydown", "pointerdown"]) place.addEventListener(event, touch);
    if (model.status.account.hasPIN) lock();
    else open().catch((problem) => lock(problemText(problem)));
  },
};

/** This browser is let in by a code and a cookie; that is not the account's login. */
function sessionPart() {
  const refused = h("p", { class: "error general", role: "alert" });
  return h("section", { class: "card" },
    h("h2", {}, t("settings.browser")),
    languageChoice(), h("p", {}, t("settings.browser.text")), refused,
    h("div", { class: "buttons" }, action({
      label: t("settings.browser.leave"), refused: (text) => setText(refused, text),
      async work() {
        const wish = await ask({
          title: t("settings.browser.ask"), text: t("settings.browser.back"),
          buttons: [
            { label: t("button.cancel") },
            { label: t("settings.browser.leave"), value: "leave", kind: "danger" },
          ],
        });
        if (wish !== "leave") return;
        await api.delete("/v1/session");
        dropKey();
        forgetOwner();
      },
    })));
}

/** Each language by its own name, for whoever cannot read the page as it is. */
function languageChoice() {
  const own = (tag) => new Intl.DisplayNames(tag, { type: "language" }).of(tag);
  const name = (tag) => own(tag).charAt(0).toLocaleUpperCase(tag) + own(tag).slice(1);
  const input = h("select", { on: { change: () => chooseLanguage(input.value) } },
    h("option", { value: "" }, t("settings.language.account")),
    languages.map((tag) => h("option", {
      value: tag, lang: tag, selected: tag === chosenLanguage(),
    }, name(tag))));
  return field({
    name: "pageLanguage", label: t("settings.language"), hint: t("settings.language.hint"), input,
  }).element;
}
