/** The reviews by their weeks, Monday first (R83, R84). */

import { h, setText } from "../../dom.js";
import { calendarDate, weekdayOf } from "../../clock.js";
import { moment, t } from "../../texts.js";
import { action } from "../forms.js";
import { deleteReview } from "./process.js";

/** A local date of the API, as "2026-11-25", at its noon. */
const noon = (date) => Date.parse(`${date}T12:00:00Z`) * 1000;

/** Fills `place`; resolves once the present week is there. */
export async function calendar(place, { signal, ask, lead }) {
  const refused = h("p", { class: "error general", role: "alert" });
  const refuse = (text) => setText(refused, text);
  const title = h("h2", { class: "figures", "aria-live": "polite" });
  const days = h("ol", { class: "week" });
  const none = h("p", {});
  const list = h("ul", { class: "reviews" });
  const full = h("p", { class: "warning", hidden: true }, t("review.full"));
  const elsewhere = h("p", { class: "faint" });
  let week = null;

  async function show(wanted) {
    let found = await ask("get", `/v1/reviews?limit=200${wanted ? `&week=${wanted}` : ""}`);
    // Without a week these are all: it says which one is the present one.
    if (!wanted) found = await ask("get", `/v1/reviews?limit=200&week=${found.week}`);
    if (signal.aborted) return;
    week = found;
    const [first, last] = [found.days[0].date, found.days[6].date];
    setText(title, t("review.week", {
      first: calendarDate(noon(first), { zone: "UTC" }),
      last: calendarDate(noon(last), { zone: "UTC" }),
    }));
    days.replaceChildren(...found.days.map((day) => dayItem(day, found.today)));
    list.replaceChildren(...found.reviews.map(card));
    setText(none, found.reviews.length === 0 ? t("review.none") : "");
    const here = found.reviews.filter((one) => one.state === "inProgress").length;
    const others = found.inProgress - here;
    setText(elsewhere, others > 0 ? t("review.elsewhere", { count: others }) : "");
    full.hidden = !found.isFull;
  }

  function dayItem({ date, count }, today) {
    const wall = noon(date);
    return h("li", { "aria-current": date === today ? "date" : null },
      h("span", {}, weekdayOf(wall, { zone: "UTC" })),
      h("span", { class: "figures" }, String(Number(date.slice(8)))),
      h("span", { class: "dot", "aria-hidden": "true" }, count > 0 ? "●" : " "),
      h("span", { class: "visually-hidden" }, count > 0 ? t("review.onDay", { count }) : ""));
  }

  function card(review) {
    const isOpen = review.state === "inProgress";
    const at = moment(review.createdAt);
    const to = isOpen ? review.unanswered[0] ?? 1 : 1;
    return h("li", { class: "card", "data-state": review.state },
      h("h3", {}, t(isOpen ? "review.inProgress" : "review.done")),
      h("p", {}, t(review.incident ? "review.ofAlarm" : "review.ofNone", { at })),
      isOpen ? h("p", { class: "faint" },
        t("review.answers", { answered: 4 - review.unanswered.length })) : null,
      h("div", { class: "buttons" },
        h("a", {
          class: "button", href: `#/review/${review.id}/${to}`,
          "aria-label": t(isOpen ? "review.add.name" : "review.edit.name", { at }),
        }, t(isOpen ? "review.add" : "review.edit")),
        action({
          label: t("review.delete"), name: t("review.delete.name", { at }), refused: refuse,
          async work() {
            if (!await deleteReview(review, ask)) return;
            await lead("", t("review.deleted"));
          },
        })));
  }

  const arrow = (label, sign, which) => {
    const button = action({
      label: sign, name: t(label), refused: refuse, work: () => show(which()),
    });
    return button;
  };
  place.append(
    h("div", { class: "buttons" },
      h("a", { class: "button main", href: "#/review/new" }, t("review.new"))),
    full,
    h("section", { class: "card", "aria-label": t("review.calendar") },
      h("div", { class: "week-title" },
        arrow("review.previous", "←", () => week.previous), title,
        arrow("review.next", "→", () => week.next)),
      days),
    refused, none, list, elsewhere);
  await show(null);
}
