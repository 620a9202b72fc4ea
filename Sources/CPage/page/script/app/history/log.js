/**
 * The log (R104): all that has happened, newest first, as it comes; sifted by kind, keychain,
 * contact, time and words, and to be had as a file.
 */

import { h, setText } from "../../dom.js";
import { api, joined } from "../../api.js";
import { save } from "../../download.js";
import { t } from "../../texts.js";
import { action, problemText } from "../forms.js";
import { logFilters } from "./filters.js";
import { logRow, logTable } from "./rows.js";

/** So many entries come at one time; of the API's most, for a file. */
const page = 50;
const most = 200;
/** So many are shown where the settings cannot be read. */
const usual = 500;
/** Beyond every id. */
const end = Number.MAX_SAFE_INTEGER;

/** Fills `place`; `names` is a promise of the contacts' names. */
export function logView(place, { model, names, signal }) {
  const refused = h("p", { class: "error general", role: "alert" });
  const count = h("p", { class: "count", role: "status" });
  const table = logTable();
  let known = new Map();
  let newest = 0;
  let oldest = null;
  let shown = 0;
  /** R103: as the settings of check-ins say; the log itself is kept. */
  let mostShown = usual;
  /** Answers to an earlier question are not shown. */
  let turn = 0;
  let isBegun = false;

  const refuse = (text) => setText(refused, text);
  const ask = (more) => api.get(`/v1/log?${new URLSearchParams({ ...filters.query(), ...more })}`);
  const rowsOf = (lines) => lines.map((line) => logRow(line, known)).reverse();

  function tell() {
    for (; shown > mostShown; shown -= 1) {
      table.body.lastChild.remove();
      // There are older ones from now on.
      oldest ??= 0;
    }
    const isFull = shown >= mostShown;
    setText(count, shown === 0 ? t("log.none")
      : t(isFull && oldest !== null ? "log.most" : "log.count", { count: shown }));
    older.hidden = oldest === null || isFull;
  }

  async function loadOlder() {
    const mine = turn;
    const { lines, next } = await ask({ before: oldest ?? end, limit: page });
    if (mine !== turn || signal.aborted) return;
    newest = Math.max(newest, lines.at(-1)?.id ?? 0);
    oldest = next ?? null;
    shown += lines.length;
    table.body.append(...rowsOf(lines));
    tell();
  }

  /** What has come since the first answer. */
  const loadNewer = joined(async () => {
    const mine = turn;
    if (!isBegun) return;
    try {
      let isMore = true;
      while (isMore) {
        const { lines, next } = await ask({ after: newest, limit: most });
        if (mine !== turn || signal.aborted) return;
        newest = lines.at(-1)?.id ?? newest;
        shown += lines.length;
        table.body.prepend(...rowsOf(lines));
        isMore = next !== undefined;
      }
      tell();
    } catch (problem) {
      refuse(problemText(problem));
    }
  });

  async function begin() {
    turn += 1;
    const mine = turn;
    isBegun = false;
    [newest, oldest, shown] = [0, null, 0];
    table.body.replaceChildren();
    older.hidden = true;
    refuse("");
    try {
      await loadOlder();
      isBegun = mine === turn;
    } catch (problem) {
      if (mine === turn) refuse(problemText(problem));
    }
  }

  /** Everything that is found, from the beginning, one entry a line. */
  async function download() {
    const parts = [];
    let after = 0;
    do {
      const { lines, next } = await ask({ after, limit: most });
      parts.push(...lines.map((line) => `${JSON.stringify(line)}\n`));
      after = next ?? null;
    } while (after !== null && !signal.aborted);
    if (!signal.aborted) save(new Blob(parts, { type: "application/x-ndjson" }), "log.jsonl");
  }

  const filters = logFilters({ model, names, signal, changed: begin });
  const older = action({ label: t("log.older"), work: loadOlder, refused: refuse });
  place.append(h("p", {}, t("log.means")), filters.element,
    h("div", { class: "buttons" },
      action({ label: t("log.download"), work: download, refused: refuse })),
    count, refused, table.element, h("div", { class: "buttons" }, older));
  const settings = api.get("/v1/check-ins/settings").catch(() => ({ logShown: usual }));
  Promise.all([names, settings]).then(([found, { logShown }]) => {
    [known, mostShown] = [found, logShown];
    if (!signal.aborted) begin();
  });
  model.addEventListener("line", loadNewer, { signal });
}
