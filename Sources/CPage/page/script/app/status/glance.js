/**
 * One glance: whether all is good, whether it is protected, and if not, the one thing to do, with
 * one button that leads there (R24 to R28). What the page does not hear is an error, never an old
 * "good".
 */

import { api } from "../../api.js";
import { h, keyed, onPress, setAttribute, setText } from "../../dom.js";
import { atTicks } from "../../model.js";
import { ago, refusal, t } from "../../texts.js";
import { confirmation } from "./banners.js";
import { isProtected, words } from "./concerns.js";
import { icon } from "./lines.js";

/** The panel at the top of the status. */
export function glance(model, signal) {
  const overall = h("h2", { id: "overall" });
  const sign = h("span", {});
  const said = h("p", { class: "visually-hidden", role: "status" });
  const protects = h("p", { class: "glance" });
  const todo = oneThing(model, () => refresh.click());
  const also = h("ul", { class: "also" });
  const checked = h("p", { class: "checked" });
  const refresh = h("button", { type: "button" }, t("status.refresh"));
  const failed = h("p", { class: "error", role: "alert" });

  onPress(refresh, async () => {
    setText(failed, "");
    const askedAt = performance.now();
    try {
      model.take(await api.post("/v1/status/refresh"), askedAt);
    } catch (problem) {
      // R28: a question without an answer ends in an error.
      model.failed(problem);
      setText(failed, t("status.unanswered"));
    }
  });

  const element = h("section", { class: "hero whole", "aria-labelledby": "overall" },
    h("div", {},
      h("div", { class: "overall-row" }, sign, overall), said, protects, todo.element, also),
    h("div", { class: "check" }, checked, refresh), failed);

  let level = null;
  atTicks(model, signal, () => {
    const now = model.status;
    const { concerns } = now;
    const next = model.isStale ? "error" : now.overall;
    if (next !== level) {
      level = next;
      setAttribute(element, "class", `hero whole ${level}`);
      sign.replaceChildren(icon(level));
      setText(overall, t(`status.overall.${level}`));
      setText(said, t("status.said", { overall: t(`status.overall.${level}`) }));
    }
    setText(protects, model.isStale ? t("status.unheardAdvice")
      : t(isProtected(now) ? "status.protected" : "status.unprotected",
        { count: now.contacts }));
    todo.show(model.isStale ? null : concerns[0] ?? null, now);
    keyed(also, model.isStale ? [] : concerns.slice(1), (code) => code, () => h("li", {}),
      (item, code) => setText(item, words(code, now).title));
    also.hidden = !also.firstChild;
    const age = now.checkedAt ? Math.max(0, -model.until(now.checkedAt)) : null;
    setText(checked, age === null ? t("status.neverChecked")
      : age < 1_000 ? t("status.checkedNow") : t("status.checked", { ago: ago(age) }));
  });
  model.addEventListener("status", () => setText(failed, ""), { signal });
  return element;
}

/** The most urgent concern, and its button; `check` looks again. */
function oneThing(model, check) {
  const title = h("h3", {});
  const text = h("p", {});
  const lacks = h("ul", {});
  const error = h("p", { class: "error", role: "alert" });
  const row = h("div", { class: "buttons" });
  const element = h("div", { class: "todo" }, title, text, lacks, row, error);
  const protect = async () => {
    setText(error, "");
    try {
      await api.put("/v1/protection");
    } catch (problem) {
      setText(error, refusal(problem));
    }
    await model.refresh();
  };
  let shown = "";

  const lead = ({ href, act, label, lesser }) => {
    if (act === "confirm") return confirmation();
    if (href) return [h("a", { class: lesser ? "button" : "button main", href }, label)];
    const button = h("button", { type: "button", class: "main" }, label);
    onPress(button, act === "protect" ? protect : async () => check());
    return [button];
  };
  return {
    element,
    show(code, status) {
      element.hidden = code === null;
      if (code === null) return;
      const one = words(code, status);
      setText(title, one.title);
      setText(text, one.text);
      const lacking = ["notProtecting", "checkInsRaiseNothing", "protectionLacks"].includes(code)
        ? status.account.missingForProtection : [];
      keyed(lacks, lacking, (name) => name, (name) => h("li", {}, name));
      lacks.hidden = lacking.length === 0;
      const name = `${code} ${one.href ?? one.act}`;
      if (name === shown) return;
      shown = name;
      setText(error, "");
      row.replaceChildren(...lead(one));
    },
  };
}
