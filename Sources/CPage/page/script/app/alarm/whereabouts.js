/**
 * Where the keychain is, and its way since this page was opened: position and track on a grid of
 * the page's own, with the age of what is known (R39, R55).
 */

import { api } from "../../api.js";
import { h, setText } from "../../dom.js";
import { atTicks, follow } from "../../model.js";
import { map } from "../../map.js";
import { ago, t } from "../../texts.js";
import { coordinates } from "../position.js";

/** By the core's number of a quality. */
const qualities = ["none", "weak", "good"];

/** The card of the position; words instead of a map where the position is not used. */
export function whereabouts(model, signal) {
  const drawn = map(() => true);
  const words = h("p", { class: "reading" });
  const place = h("p", { class: "reading figures faint" });
  let incident = null;
  let last = 0;
  /** Null until the account has said it. */
  let mayLocate = null;

  const show = () => {
    const now = model.status.incident;
    if (now?.id !== incident) {
      incident = now?.id;
      last = 0;
      drawn.set([]);
    }
    const fix = mayLocate ? now?.lastPosition : null;
    drawn.element.hidden = !fix;
    setText(place, fix ? coordinates(fix) : "");
    if (fix && fix.wall > last) {
      last = fix.wall;
      drawn.add({ ...fix, at: fix.wall, quality: qualities[fix.quality] ?? "unknown" });
    }
  };
  follow(model, ["status"], signal, show);
  atTicks(model, signal, () => {
    setText(words, mayLocate === false ? t("alarm.notLocated") : position(model));
  });
  askLeave(model, signal, (leave) => {
    mayLocate = leave;
    show();
  });
  return h("section", { class: "card", id: "place", "aria-labelledby": "place-title" },
    h("h2", { id: "place-title" }, t("alarm.place")), words, drawn.element, place);
}

/** Whether the account lets its position be used; asked for until it is known. */
async function askLeave(model, signal, tell) {
  try {
    const { mayLocate } = await api.get("/v1/account");
    if (!signal.aborted) tell(mayLocate !== false);
  } catch {
    if (signal.aborted) return;
    const again = () => askLeave(model, signal, tell);
    model.addEventListener("status", again, { once: true, signal });
  }
}

function position(model) {
  const { fixes, lastFixAt, lastPosition, trackingSince } = model.status.incident ?? {};
  if (lastFixAt) {
    return t("alarm.fixes", { count: fixes, ago: ago(model.since(lastFixAt.wall)) });
  }
  if (lastPosition) return t("alarm.lastPosition", { ago: ago(model.since(lastPosition.wall)) });
  return t(trackingSince ? "alarm.noPosition" : "alarm.notYetLocated");
}
