/** The user guide of check-ins (R116). */

import { h } from "../../dom.js";
import { t } from "../../texts.js";

const chapters = [
  "job", "make", "rules", "answer", "colours", "silence", "single", "history", "lost",
];

/** Fills `place`; of the keychain it says what is so in the profile by which presses are read. */
export async function guide(place, { model }) {
  const { profile } = model.status;
  const text = (name) => t(`guide.${name}.text`, {
    answer: t(`click.${profile}`), countdown: t(`guide.countdown.${profile}`),
  });
  place.append(h("article", { class: "card guide" },
    h("h2", {}, t("guide.title")),
    chapters.map((name) => h("section", { "aria-labelledby": `guide-${name}` },
      h("h3", { id: `guide-${name}` }, t(`guide.${name}`)),
      text(name).split("\n").map((part) => h("p", {}, part))))));
}
