/**
 * What was typed and is not saved (R115): whoever leaves an editor with changes is asked whether to
 * save them, to discard them, or to go on; also where the address leads elsewhere, and where the
 * browser takes the document away. An alarm asks nothing (R36).
 */

import { ask } from "../dom.js";
import { t } from "../texts.js";

/** The editors that are open, the first opened first. */
const open = new Set();
let asking = null;

/**
 * Has an editor asked for until `signal` is aborted: `hasChanges()`, `save()`, which resolves to
 * whether it was saved, and `discard()`, after which it has none.
 */
export function keepSafe({ signal, hasChanges, save, discard }) {
  if (signal.aborted) return;
  const editor = { hasChanges, save, discard };
  open.add(editor);
  signal.addEventListener("abort", () => open.delete(editor), { once: true });
}

/** Whether something would be lost. */
export const hasUnsaved = () => [...open].some((one) => one.hasChanges());

/** Asks for each editor with changes, the newest first; resolves to whether nothing is left. */
export function mayLeave() {
  asking ??= settle().finally(() => { asking = null; });
  return asking;
}

async function settle() {
  for (const editor of [...open].reverse()) {
    if (editor.hasChanges() && !await isSettled(editor)) return false;
  }
  return true;
}

/** Of one editor: whether its changes are saved or discarded. */
export async function isSettled({ save, discard }) {
  const wish = await ask({
    title: t("unsaved.title"), text: t("unsaved.text"),
    buttons: [
      { label: t("unsaved.goOn") },
      { label: t("unsaved.discard"), value: "discard", kind: "danger" },
      { label: t("unsaved.save"), value: "save", kind: "main" },
    ],
  });
  if (wish === "save") return save();
  if (wish !== "discard") return false;
  discard();
  return true;
}

/**
 * Calls `go` at each change of the address that may be followed. One that would lose something is
 * taken back until the person has decided; where `isUrgent()` nobody is asked.
 */
export function onWay(isUrgent, go) {
  let at = location.hash;
  addEventListener("hashchange", async () => {
    const to = location.hash;
    if (isUrgent() || !hasUnsaved()) {
      go();
      at = location.hash;
      return;
    }
    if (to === at) return;
    history.replaceState(null, "", at);
    if (await mayLeave()) location.hash = to;
  });
  addEventListener("beforeunload", (event) => {
    if (!isUrgent() && hasUnsaved()) event.preventDefault();
  });
}
