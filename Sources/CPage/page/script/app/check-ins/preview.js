/** The next dates of what is being written, as the core reckons them (R90 to R95). */

import { h, setText } from "../../dom.js";
import { api, Problem } from "../../api.js";
import { t } from "../../texts.js";
import { ruleWords, when } from "./words.js";

/** A person goes on writing meanwhile, ms. */
const pause = 350;
/** So many stand there at once; the others unfold. */
const few = 7;

/**
 * `{ element, ask(rule, draft), stop() }`. `fail(problem)` says at the fields why there are none,
 * and returns what is said in their place; null: there is nothing to say.
 */
export function previewList({ account, fail }) {
  const rule = h("p", { class: "rule" });
  const said = h("p", { role: "status" });
  const list = h("ol", { class: "dates figures" });
  const rest = h("ol", { class: "dates figures", start: few + 1 });
  const more = h("details", {}, h("summary", {}, t("preview.more")), rest);
  let waiting = null;
  let turn = 0;

  async function look(draft) {
    const mine = ++turn;
    let moments = [];
    let text = "";
    try {
      ({ moments } = await api.post("/v1/check-ins/preview", draft));
      if (mine !== turn) return;
      fail(null);
      if (moments.length === 0) text = t("preview.none");
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      if (mine !== turn) return;
      text = fail(problem);
    }
    const items = moments.map(({ due }) => h("li", {}, when(due, account.zone)));
    setText(said, text);
    list.replaceChildren(...items.slice(0, few));
    rest.replaceChildren(...items.slice(few));
    more.hidden = items.length <= few;
  }

  return {
    element: h("section", { class: "card preview", "aria-labelledby": "preview-title" },
      h("h2", { id: "preview-title" }, t("preview.title")), rule, said, list, more),
    ask(its, draft) {
      setText(rule, ruleWords(its));
      clearTimeout(waiting);
      waiting = setTimeout(() => look(draft), pause);
    },
    stop() {
      turn += 1;
      clearTimeout(waiting);
    },
  };
}
