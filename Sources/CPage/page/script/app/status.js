/**
 * How the owner stands now: the four lines, whether anybody would be told, and whether fob protects
 * (R24 to R33, R48, R57). What the page no longer hears from the core is an error, never an old
 * "good".
 */

import { api } from "../api.js";
import { h, onPress, setText } from "../dom.js";
import { atTicks } from "../model.js";
import { ago, t } from "../texts.js";
import { banners } from "./status/banners.js";
import { notifications } from "./notify.js";
import { lineList } from "./status/lines.js";
import { protection } from "./status/protection.js";
import { logout } from "./status/logout.js";

export const status = {
  name: "status",
  title: "status.title",

  show(root, model, signal) {
    root.append(
      h("h1", {}, t("status.title")),
      banners(model, signal),
      check(model, signal),
      protection(model, signal),
      notifications(),
      logout(model));
  },
};

/** The overall state, its four lines, and when that was checked. */
function check(model, signal) {
  const overall = h("h2", { id: "overall" });
  const said = h("p", { class: "visually-hidden", role: "status" });
  const checked = h("p", { class: "faint checked" });
  const refresh = h("button", { type: "button" }, t("status.refresh"));
  const failed = h("p", { class: "error", role: "alert" });
  const lines = lineList();
  const devices = h("p", { class: "faint" });
  const notFound = missing(() => refresh.click());

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

  const show = () => {
    const now = model.status;
    const level = model.isStale ? "error" : now.overall;
    overall.className = `overall ${level}`;
    setText(overall, t(`status.overall.${level}`));
    setText(said, t("status.said", { overall: t(`status.overall.${level}`) }));
    lines.show(now.lines, model.age, model.isStale);
    const { checkedAt } = now;
    const age = checkedAt ? Math.max(0, -model.until(checkedAt)) : null;
    setText(checked, age === null ? t("status.neverChecked")
      : age < 1_000 ? t("status.checkedNow") : t("status.checked", { ago: ago(age) }));
    notFound.hidden = model.isStale || now.devices.some((device) => device.isLinked);
    const owned = now.devices.filter((device) => device.isOwned).length;
    setText(devices, owned > 1 ? t("status.worst", { count: owned }) : "");
  };
  model.addEventListener("status", () => setText(failed, ""), { signal });
  atTicks(model, signal, show);

  return h("section", { class: "card", "aria-labelledby": "overall" },
    overall, said, notFound, lines.element, devices,
    h("div", { class: "check" }, checked, refresh), failed);
}

/** R2: no keychain is there; Try Again asks once more. */
function missing(tryAgain) {
  return h("div", { class: "notice", id: "not-found" },
    h("h3", {}, t("status.notFound")),
    h("p", {}, t("status.notFoundAdvice")),
    h("button", { type: "button", on: { click: tryAgain } }, t("button.tryAgain")));
}
