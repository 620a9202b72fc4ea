/** A form in a dialog of its own, which loses nothing that was typed (R115). */

import { h } from "../dom.js";
import { t } from "../texts.js";
import { isSettled, keepSafe } from "./unsaved.js";

/**
 * Shows a form until it is sent or left; whoever leaves it with changes is asked. `values()` is
 * what is filled in; `make({ hasChanges, cancel, sent })` returns the form, which has `cancel`
 * among its buttons and calls `sent`. Resolves to whether it was sent; `signal` closes it.
 */
export function editorDialog({ title, text = null, values, make, signal }) {
  return new Promise((resolve) => {
    let isSent = false;
    let isOver = false;
    const leaving = new AbortController();
    const before = JSON.stringify(values());
    const hasChanges = () => !isOver && JSON.stringify(values()) !== before;
    const cancel = h("button", { type: "button" }, t("button.cancel"));
    const made = make({
      hasChanges, cancel,
      sent() {
        isSent = true;
        end();
      },
    });
    const dialog = h("dialog", { class: "editor", "aria-labelledby": "editor-title" },
      h("h2", { id: "editor-title" }, title), text ? h("p", {}, text) : null, made.element);
    function end() {
      isOver = true;
      dialog.close();
    }
    const editor = { hasChanges, save: made.submit, discard: end };
    const leave = () => hasChanges() ? isSettled(editor) : end();
    cancel.addEventListener("click", leave);
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      leave();
    });
    signal.addEventListener("abort", end, { once: true });
    dialog.addEventListener("close", () => {
      leaving.abort();
      dialog.remove();
      resolve(isSent);
    });
    keepSafe({ signal: leaving.signal, ...editor });
    document.body.append(dialog);
    dialog.showModal();
    dialog.querySelector("input, select, textarea").focus();
  });
}
