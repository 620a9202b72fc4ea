/**
 * Check-ins: what is asked and when, what became of it, and the editors of both (R90 to R112). Its
 * parts have addresses of their own, behind that of the view.
 */

import { h, setAttribute, setText } from "../dom.js";
import { api } from "../api.js";
import { bringTexts, t } from "../texts.js";
import { guide } from "./check-ins/guide.js";
import { historyPart } from "./check-ins/history.js";
import { listPart } from "./check-ins/list.js";
import { seriesEditor } from "./check-ins/editor.js";
import { settingsPart } from "./check-ins/settings.js";
import { statisticsPart } from "./check-ins/statistics.js";
import { dropDraft, keptDraft } from "./draft.js";
import { action, problemText } from "./forms.js";
import { idleWarning } from "./status/well.js";

/** Its style is its own, and comes with it. */
const bringStyle = () => new Promise((come) => {
  document.head.append(h("link", {
    rel: "stylesheet", href: "/page/style/check-ins.css", on: { load: come, error: come },
  }));
});

await Promise.all([bringTexts("checkins", "guide"), bringStyle()]);

/** By the first word of the address behind the view's own. */
const parts = {
  "": listPart, new: seriesEditor, edit: seriesEditor, reactivate: seriesEditor,
  history: historyPart, settings: settingsPart, statistics: statisticsPart, help: guide,
};
const linked = ["", "history", "settings", "statistics", "help"];
const address = (path) => `#/checkIns${path ? `/${path}` : ""}`;
const pathNow = () => location.hash.split("/").slice(2).join("/");

let goOn = () => {};

export const checkIns = {
  name: "checkIns",
  title: "checkIns.title",

  /** The address may lead to another part. */
  go() { goOn(); },

  show(root, model, signal) {
    const links = linked.map((path) =>
      h("a", { class: "button", href: address(path) }, t(`checkIns.part.${path || "list"}`)));
    const said = h("p", { class: "said", role: "status" });
    const place = h("div", {});
    root.append(h("h1", {}, t("checkIns.title")),
      h("nav", { class: "buttons parts", "aria-label": t("checkIns.parts") }, links),
      idleWarning(model, signal), said, place);

    let shown = null;
    let leaving = new AbortController();
    let draft = keptDraft();

    /** Shows what the address says; `words` tell what was done before. */
    async function show(words = "") {
      const path = pathNow();
      shown = path;
      leaving.abort();
      leaving = new AbortController();
      const inner = AbortSignal.any([signal, leaving.signal]);
      setText(said, words);
      place.replaceChildren();
      links.forEach((link, at) => setAttribute(
        link, "aria-current", linked[at] === path ? "page" : null));
      if (draft) return offer();
      const [name, id] = path.split("/");
      const part = parts[name] ?? listPart;
      try {
        const account = await api.get("/v1/account");
        if (inner.aborted) return;
        await part(place, { model, account, signal: inner, path, name, id, lead, restored });
      } catch (problem) {
        if (!inner.aborted) place.append(
          h("p", { class: "error", role: "alert" }, problemText(problem)));
      } finally {
        restored = null;
      }
    }

    /** To another part, once something is done. */
    function lead(path, words) {
      if (pathNow() === path) return show(words);
      next = words;
      location.hash = address(path);
    }
    let next = "";
    let restored = null;

    /** R110: before anything else is written. */
    function offer() {
      const left = draft;
      place.append(h("section", { class: "card notice", "aria-labelledby": "draft-title" },
        h("h2", { id: "draft-title" }, t("draft.title")),
        h("p", {}, t("draft.text")),
        h("div", { class: "buttons" },
          action({
            label: t("draft.restore"), kind: "main",
            async work() {
              draft = null;
              restored = left.values;
              await lead(left.path, "");
            },
          }),
          action({
            label: t("draft.drop"),
            async work() {
              draft = null;
              dropDraft();
              await lead("", "");
            },
          }))));
    }

    goOn = () => {
      if (signal.aborted || pathNow() === shown) return;
      const words = next;
      next = "";
      show(words).then(() => {
        if (!root.contains(document.activeElement)) root.focus({ preventScroll: true });
        scrollTo(0, 0);
      });
    };
    show();
  },
};
