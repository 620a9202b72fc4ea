/**
 * Reviews: what the owner writes of an alarm, or of none, in four steps (R80 to R84). They are read
 * by the PIN alone, which is held while they are shown and no longer.
 */

import { h, setText } from "../dom.js";
import { api } from "../api.js";
import { bringTexts, t } from "../texts.js";
import { action, problemText } from "./forms.js";
import { forgotPIN } from "./forgot.js";
import { askPIN } from "./pinpad.js";
import { provePIN } from "./pin.js";
import { calendar } from "./review/calendar.js";
import { process } from "./review/process.js";

/** Its style is its own, and comes with it. */
const bringStyle = () => new Promise((come) => {
  document.head.append(h("link", {
    rel: "stylesheet", href: "/page/style/review.css", on: { load: come, error: come },
  }));
});

await Promise.all([bringTexts("review", "history"), bringStyle()]);

/** Who waits longer than this is told that it goes on (R88), ms. */
const patience = 2_000;
/** Reviews that nobody touches are locked again after so long, ms. */
const untouched = 5 * 60_000;
const pathNow = () => location.hash.split("/").slice(2);

let goOn = () => {};

export const review = {
  name: "review",
  title: "review.title",

  /** The address may lead to another part. */
  go() { goOn(); },

  show(root, model, signal) {
    const said = h("p", { class: "said", role: "status" });
    const place = h("div", {});
    root.append(h("h1", {}, t("review.title")), said, place);
    let pin;
    let idle = null;
    let isOpen = false;
    let leaving = new AbortController();
    let next = "";
    let shown = null;

    /** Asks the API with the PIN; one that is not right any more locks. */
    async function ask(method, path, body) {
      try {
        return await api[method](path, body, pin === undefined ? {} : { "Fob-PIN": pin });
      } catch (problem) {
        if (problem.code === "wrongPIN" || problem.code === "pinNeeded") lock(problemText(problem));
        throw problem;
      }
    }

    function lock(text = "") {
      pin = undefined;
      isOpen = false;
      leaving.abort();
      clearTimeout(idle);
      const refused = h("p", { class: "error general", role: "alert" });
      const refuse = (words) => setText(refused, words);
      place.replaceChildren(h("section", { class: "card" },
        h("h2", {}, t("review.locked")), h("p", {}, t("review.locked.text")), refused,
        h("div", { class: "buttons" },
          action({ label: t("pin.enter"), kind: "main", work: unlock, refused: refuse }),
          action({ label: t("forgot.title"), work: forgotPIN, refused: refuse }))));
      refuse(text);
    }

    async function unlock() {
      const isRight = await askPIN({
        title: t("pin.enter"), signal, canForget: true,
        submit: async (typed) => {
          await provePIN(typed);
          pin = typed;
        },
      });
      if (isRight) await open();
    }

    /** Shows what the address says. */
    async function open() {
      isOpen = true;
      shown = location.hash;
      touch();
      leaving.abort();
      leaving = new AbortController();
      const inner = AbortSignal.any([signal, leaving.signal]);
      setText(said, next);
      next = "";
      place.replaceChildren();
      const [name, ...rest] = pathNow();
      const loading = h("p", { class: "faint", role: "status" });
      const late = setTimeout(() => {
        place.append(loading);
        setText(loading, t("review.loading"));
      }, patience);
      try {
        if (name === "of" || name === "new") await begin(rest[0]);
        else if (name) await process(place, { model, signal: inner, ask, lead, name, rest });
        else await calendar(place, { model, signal: inner, ask, lead });
      } catch (problem) {
        if (!inner.aborted) place.append(
          h("p", { class: "error", role: "alert" }, problemText(problem)));
      } finally {
        clearTimeout(late);
        loading.remove();
      }
    }

    /** That of an alarm, which may be there already, or a new one. */
    async function begin(incident) {
      const there = incident
        ? (await ask("get", `/v1/reviews?incident=${incident}`)).reviews[0] : null;
      const { id } = there ?? await ask("post", "/v1/reviews", incident ? { incident } : {});
      history.replaceState(null, "", `#/review/${id}/1`);
      await open();
    }

    /** To another part, once something is done; `words` tell what. */
    function lead(path, words = "") {
      next = words;
      const to = path ? `#/review/${path}` : "#/review";
      if (location.hash === to) return open();
      location.hash = to;
    }

    function touch() {
      if (pin === undefined) return;
      clearTimeout(idle);
      idle = setTimeout(lock, untouched);
    }

    goOn = () => {
      if (signal.aborted || !isOpen || location.hash === shown) return;
      open().then(() => {
        if (!root.contains(document.activeElement)) root.focus({ preventScroll: true });
      });
    };
    signal.addEventListener("abort", () => {
      pin = undefined;
      clearTimeout(idle);
    });
    for (const event of ["keydown", "pointerdown"]) place.addEventListener(event, touch);
    if (model.status.account.hasPIN) lock();
    else open();
  },
};
