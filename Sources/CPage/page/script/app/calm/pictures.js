/**
 * Pictures of what is noticed in grounding (R77, R117). They are in this view's memory alone: they
 * are sent to nobody, and gone when it is left.
 */

import { h } from "../../dom.js";
import { t } from "../../texts.js";
import { field } from "../forms.js";

/** Of a thumbnail, px. */
const side = 96;
const items = 45;

/**
 * One picture an item, by its number from 0. `element` has what takes one of the item `current()`;
 * `changed()` is called with each, until `signal` is aborted.
 */
export class Pictures {
  #canvases = new Map();
  #forgotten = 0;

  constructor({ current, changed, signal }) {
    const inputs = ["choose", "take"].map((way) => {
      const file = field({
        name: way, label: t(`grounding.${way}`),
        input: h("input", {
          type: "file", accept: "image/*", capture: way === "take" ? "environment" : null,
        }),
      });
      file.element.classList.add(way);
      file.input.addEventListener("change", async () => {
        const [picture] = file.input.files;
        if (!picture) return;
        const [item, round] = [current(), this.#forgotten];
        file.input.value = "";
        try {
          const canvas = await thumbnail(picture, nameOf(item));
          // The exercise may have begun again meanwhile.
          if (round !== this.#forgotten || signal.aborted) return;
          this.#canvases.set(item, canvas);
          file.fail("");
          changed();
        } catch {
          file.fail(t("grounding.unreadable"));
        }
      });
      return file.element;
    });
    this.element = h("div", { class: "picture-inputs", hidden: true },
      inputs, h("p", { class: "faint" }, t("grounding.private")));
    const forget = () => this.forget();
    signal.addEventListener("abort", forget);
    addEventListener("pagehide", forget, { signal });
  }

  get count() { return this.#canvases.size; }

  /** The picture of an item, or undefined. */
  of(item) { return this.#canvases.get(item); }

  forget() {
    this.#canvases.clear();
    this.#forgotten += 1;
  }

  /** All of them, in the order of their items. */
  grid() {
    return h("ol", { class: "pictures" }, Array.from({ length: items }, (_, item) =>
      h("li", { title: nameOf(item) }, this.of(item))));
  }
}

/** 00 to 44. */
const nameOf = (item) => String(item).padStart(2, "0");

/** The square in the middle of a picture. It rejects where the browser cannot read the file. */
async function thumbnail(file, name) {
  const picture = await createImageBitmap(file);
  const canvas = h("canvas", { width: side, height: side, role: "img", "aria-label": name });
  const cut = Math.min(picture.width, picture.height);
  canvas.getContext("2d").drawImage(
    picture, (picture.width - cut) / 2, (picture.height - cut) / 2, cut, cut, 0, 0, side, side);
  picture.close();
  return canvas;
}
