/**
 * "I'm well": the answer to a check-in in one press, with the time that is left until people are
 * called, by the core's clock; and in red that check-ins raise no alarm, where that is so.
 */

import { api } from "../../api.js";
import { dueTime } from "../../clock.js";
import { h, onPress, setAttribute, setText } from "../../dom.js";
import { atTicks, follow } from "../../model.js";
import { minutesAndSeconds, refusal, t } from "../../texts.js";

/** The panel; it is there while a check-in can be answered. */
export function wellPanel(model, signal) {
  const heading = h("h2", { id: "well-title" });
  const which = h("p", { class: "reading" });
  const label = h("p", { class: "label reading" });
  const figure = h("p", { class: "figure figures reading", role: "timer" });
  const left = h("div", { class: "countdown" }, label, figure);
  const button = h("button", { type: "button", class: "main large", id: "well" }, t("well.button"));
  const others = h("a", { href: "#/checkIns" });
  const error = h("p", { class: "error", role: "alert" });
  const said = h("p", { class: "visually-hidden", role: "status" });

  onPress(button, async () => {
    const { next } = model.status.checkIns;
    if (!next) return;
    setText(error, "");
    try {
      await api.post(`/v1/check-ins/${next.series}/${next.key}/complete`);
      setText(said, t("well.done", { name: next.description }));
    } catch (problem) {
      setText(error, refusal(problem));
    }
    await model.refresh();
  });

  const panel = h("section", { class: "hero well", "aria-labelledby": "well-title" },
    heading, which, left, h("div", { class: "buttons" }, button), others, error);
  const element = h("div", { class: "whole" }, said);
  atTicks(model, signal, () => {
    const { next, calledAt, inTime, overdue } = model.status.checkIns;
    if (!next) return panel.remove();
    if (!panel.isConnected) element.append(panel);
    setAttribute(panel, "class", `hero well ${overdue > 0 ? "warning" : "good"}`);
    setText(heading, t("well.title"));
    const at = dueTime(next.due, model.status);
    setText(which, t("well.which", { name: next.description, at }));
    left.hidden = !calledAt;
    if (calledAt) {
      // When it is over, the alarm's own view says how it goes on.
      setText(label, t("well.left"));
      setText(figure,
        model.isStale ? t("alarm.noTime") : minutesAndSeconds(-model.since(calledAt)));
    }
    const count = inTime + overdue - 1;
    setText(others, count > 0 ? t("well.others", { count }) : "");
    others.hidden = count < 1;
  });
  return element;
}

/** Loud: series are to raise alarms, and none would be raised. */
export function idleWarning(model, signal, isSaid = () => false) {
  const error = h("p", { role: "alert" });
  const button = h("button", { type: "button" }, t("protection.start"));
  onPress(button, async () => {
    setText(error, "");
    try {
      await api.put("/v1/protection");
    } catch (problem) {
      setText(error, refusal(problem));
    }
    await model.refresh();
  });
  const element = h("section", { class: "shout whole", id: "idle", hidden: true },
    h("h2", {}, t("concern.checkInsRaiseNothing")),
    h("p", {}, t("concern.checkInsRaiseNothing.text")), button, error);
  follow(model, ["status"], signal, () => {
    element.hidden = !model.status.checkIns.raisesNothing || isSaid();
  });
  return element;
}
