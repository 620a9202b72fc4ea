/** The user guide of check-ins (R116). */

import { h } from "../../dom.js";
import { t } from "../../texts.js";

const chapters = [
  "job", "make", "rules", "answer", "colours", "silence", "single", "history", "lost",
];

/** Fills `place`. */
export async function guide(place) {
  place.append(h("article", { class: "card guide" },
    h("h2", {}, t("guide.title")),
    chapters.map((name) => h("section", { "aria-labelledby": `guide-${name}` },
      h("h3", { id: `guide-${name}` }, t(`guide.${name}`)),
      t(`guide.${name}.text`).split("\n").map((text) => h("p", {}, text))))));
}
