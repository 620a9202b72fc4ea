/**
 * The log lines of the incident at hand, live: as the stream tells them, and what was missed as the
 * log has it. Nothing is shown twice, and the newest few are kept.
 */

import { api } from "../../api.js";

const most = 100;
const page = 200;

/** Follows the model's incident; "change" is dispatched when there is more to see. */
export function lineFeed(model, signal) {
  const feed = new EventTarget();
  let incident = null;
  let after = 0;
  let isAsking = false;
  /** Newest first. */
  feed.lines = [];
  /**
   * How far the alarm came with each contact, by its id: when it was first sent and first received,
   * when they last said that they have it, µs since 1970 each; and `latest`, the newest line.
   */
  feed.people = new Map();

  const take = (line) => {
    if (line.contact) feed.people.set(line.contact, further(feed.people.get(line.contact), line));
    if (feed.lines.some((known) => known.id === line.id)) return;
    feed.lines.push(line);
    feed.lines.sort((a, b) => b.id - a.id);
    feed.lines.length = Math.min(feed.lines.length, most);
  };
  const changed = () => feed.dispatchEvent(new Event("change"));

  const catchUp = async () => {
    if (isAsking || !incident) return;
    isAsking = true;
    const asked = incident;
    try {
      let rows;
      do {
        rows = await api.get(
          `/v1/log?incident=${encodeURIComponent(asked)}&after=${after}&limit=${page}`);
        if (asked !== incident || signal.aborted) break;
        for (const line of rows.lines) take(line);
        after = rows.lines.at(-1)?.id ?? after;
        if (rows.lines.length > 0) changed();
      } while (rows.next);
    } catch {
      // The model tells that the core is not heard; the next status asks again.
    } finally {
      isAsking = false;
    }
  };

  const begin = () => {
    const id = model.status.incident?.id ?? null;
    if (id !== incident) {
      incident = id;
      after = 0;
      feed.lines = [];
      feed.people.clear();
      changed();
    }
    catchUp();
  };
  model.addEventListener("status", begin, { signal });
  model.addEventListener("line", ({ detail }) => {
    if (detail.incident !== incident) return;
    take(detail);
    changed();
  }, { signal });
  begin();
  return feed;
}

/** A message that it is over is no step of the alarm. */
function further(known = {}, line) {
  const { name, wall } = line;
  const isAlarm = line.facts?.kind !== "closing";
  const first = (before, isIt) => isIt && isAlarm && !(before <= wall) ? wall : before;
  const isNewest = !(known.latest?.id >= line.id);
  return {
    sent: first(known.sent, name === "notified"),
    received: first(known.received, name === "delivered"),
    acknowledged: name === "acknowledged" && isNewest ? wall : known.acknowledged,
    latest: isNewest ? line : known.latest,
  };
}
