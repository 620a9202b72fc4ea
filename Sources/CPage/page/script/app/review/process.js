/** One review: its four steps, one question at a time (R80 to R82, R84). */

import { ask as askPerson, h, setText } from "../../dom.js";
import { moment, number, t } from "../../texts.js";
import { action, setOff } from "../forms.js";
import { draftOf } from "./drafts.js";
import { alarmFacts } from "./facts.js";
import { stepWords } from "./words.js";

const longest = 4000;
/** As the API counts them. */
const lengthOf = (text) => [...text].length;

/** Fills `place` with the step that the address names. */
export async function process(place, { model, signal, ask, lead, name, rest }) {
  let review = await ask("get", `/v1/reviews/${name}`);
  if (signal.aborted) return;
  const at = Math.min(Math.max(Number(rest[0]) || 1, 1), review.steps.length);
  const step = review.steps[at - 1];
  const path = (other) => `${review.id}/${other}`;
  const draft = draftOf(review, at);
  const answer = () => review.answers[at - 1];

  const bar = h("nav", { class: "review-steps", "aria-label": t("review.steps") });
  function showBar() {
    bar.replaceChildren(h("ol", {}, review.steps.map((one, index) => {
      const isMissing = review.unanswered.includes(index + 1);
      const label = stepWords(one, "label");
      return h("li", {}, h("button", {
        type: "button", "aria-current": index + 1 === at ? "step" : null,
        "data-missing": isMissing,
        "aria-label": t(isMissing ? "review.step.missing" : "review.step.answered", { label }),
        on: { click: () => lead(path(index + 1)) },
      }, h("span", { "aria-hidden": "true" }, isMissing ? "○ " : "● "), label));
    })));
  }

  const question = h("h2", { id: "review-question" }, stepWords(step, "question"));
  const info = h("button", {
    type: "button", class: "info",
    "aria-label": t("review.info", { label: stepWords(step, "label") }),
    on: {
      click: () => askPerson({
        title: stepWords(step, "label"), text: stepWords(step, "info"),
        buttons: [{ label: t("button.ok"), kind: "main" }],
      }),
    },
  }, "ⓘ");
  info.hidden = step.info === "";
  const input = h("textarea", {
    id: "review-answer", rows: 8, "aria-labelledby": "review-question",
    "aria-describedby": "review-count review-error",
  });
  const count = h("p", { class: "hint faint figures", id: "review-count" });
  const error = h("p", { class: "error general", role: "alert", id: "review-error" });
  const theirs = h("div", {});
  const left = h("div", {});
  const refuse = (text) => setText(error, text);

  const save = action({ label: t("review.save"), kind: "main", work: saveStep, refused: refuse });
  const complete = action({ label: t("review.complete"), work: finish, refused: refuse });
  complete.id = "review-complete";

  function update() {
    const isChanged = input.value !== answer().text;
    const length = lengthOf(input.value);
    setOff(save, !isChanged || length > longest);
    setText(count, t("review.count", { length: number(length), longest: number(longest) }));
    count.classList.toggle("error", length > longest);
    complete.hidden = isChanged || review.state === "completed" || review.unanswered.length > 0;
    draft.keep(isChanged ? input.value : null);
  }

  async function saveStep() {
    const text = input.value;
    try {
      review = await ask("put", `/v1/reviews/${review.id}/steps/${at}`, {
        text, version: answer().version,
      });
    } catch (problem) {
      if (problem.code !== "changed") throw problem;
      return showTheirs(problem.body.stored);
    }
    draft.keep(null);
    if (at < review.steps.length) return lead(path(at + 1), t("review.saved"));
    if (review.unanswered.length > 0) return lead(path(review.unanswered[0]), t("review.saved"));
    await finish();
  }

  async function finish() {
    await ask("post", `/v1/reviews/${review.id}/complete`);
    await lead("", t("review.completed"));
  }

  /** Both texts are there: the person decides. */
  function showTheirs(stored) {
    review.answers[at - 1] = stored;
    theirs.replaceChildren(h("section", { class: "card notice", "aria-labelledby": "theirs-title" },
      h("h3", { id: "theirs-title" }, t("review.changed")), h("p", {}, t("review.changed.text")),
      h("blockquote", {}, stored.text),
      h("div", { class: "buttons" }, action({
        label: t("review.takeTheirs"), refused: refuse,
        async work() {
          input.value = stored.text;
          theirs.replaceChildren();
          update();
          input.focus();
        },
      }))));
    update();
  }

  function offerDraft(text) {
    left.replaceChildren(h("section", { class: "card notice", "aria-labelledby": "left-title" },
      h("h3", { id: "left-title" }, t("review.left")), h("p", {}, t("review.left.text")),
      h("blockquote", {}, text),
      h("div", { class: "buttons" },
        action({
          label: t("review.restore"), kind: "main", refused: refuse,
          async work() {
            input.value = text;
            left.replaceChildren();
            update();
            input.focus();
          },
        }),
        action({
          label: t("unsaved.discard"), refused: refuse,
          async work() {
            left.replaceChildren();
            update();
            input.focus();
          },
        }))));
  }

  input.addEventListener("input", () => {
    left.replaceChildren();
    refuse("");
    update();
  });
  const kept = draft.text();
  input.value = answer().text;
  showBar();
  update();
  if (kept !== null && kept !== answer().text) {
    draft.keep(kept);
    offerDraft(kept);
  }
  place.append(
    h("p", { class: "faint" }, t("review.begun", { at: moment(review.createdAt) })), bar,
    h("div", { class: "review-view" },
      h("section", { class: "card", "aria-labelledby": "review-question" },
        h("div", { class: "question" }, question, info), left, input, count, error, theirs,
        h("div", { class: "buttons" }, save, complete,
          h("a", { class: "button", href: "#/review" }, t("review.all")))),
      review.incident ? alarmFacts({ incident: review.incident, model, signal }) : null));
}

/** Asks before a review is deleted; resolves to whether it is. */
export async function deleteReview(review, ask) {
  const wish = await askPerson({
    title: t("review.delete.ask"), text: t("review.delete.text"),
    buttons: [
      { label: t("button.no"), kind: "main" },
      { label: t("review.delete"), value: "delete", kind: "danger" },
    ],
  });
  if (wish !== "delete") return false;
  await ask("delete", `/v1/reviews/${review.id}`);
  return true;
}
