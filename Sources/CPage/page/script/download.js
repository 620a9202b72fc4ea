/** Links to files of the API: a browser that follows one sends no key, so the page fetches it. */

import { api } from "./api.js";
import { h, setText } from "./dom.js";
import { refusal, t } from "./texts.js";

const refusals = new WeakMap();

async function fetchFile(link) {
  const refused = refusals.get(link) ?? h("span", { class: "error", role: "alert" });
  refusals.set(link, refused);
  setText(refused, "");
  try {
    const { blob, name } = await api.file(link.getAttribute("href"));
    save(blob, link.download || name);
  } catch (problem) {
    setText(refused, t("download.failed", { reason: refusal(problem) }));
    link.after(refused);
  }
}

/** Hands the browser a file of that name. */
export function save(blob, name) {
  const address = URL.createObjectURL(blob);
  h("a", { href: address, download: name }).click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Each link of the document with `download` to an address of the API. */
export function fetchDownloads() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[download][href^='/v1/']");
    if (!link) return;
    event.preventDefault();
    fetchFile(link);
  });
}
