/** Dialogs about one check-in alone: its answer with a comment, and its change (R101, R107). */

import { h } from "../../dom.js";
import { api } from "../../api.js";
import { t } from "../../texts.js";
import { editorDialog } from "../dialog.js";
import { field, form } from "../forms.js";
import { leadField } from "./fields.js";
import { localParts, when } from "./words.js";

const pathOf = ({ series, key }) => `/v1/check-ins/${series}/${key}`;

/** A field for a comment, with what stands there already. */
export function commentField(text = "") {
  const one = field({
    name: "comment", label: t("comment.label"),
    input: h("textarea", { rows: 3, maxlength: 500 }),
  });
  one.input.value = text;
  return one;
}

/** Completes it, with a comment or without one; resolves to whether that was done. */
export function completeOne({ checkIn, zone, signal }) {
  const comment = commentField();
  return editorDialog({
    title: checkIn.description, text: when(checkIn.due, zone), signal,
    values: () => comment.input.value.trim(),
    make: ({ cancel, sent }) => form({
      fields: [comment], label: t("row.complete"), others: cancel, sent,
      send: () => api.post(`${pathOf(checkIn)}/complete`, { comment: comment.input.value.trim() }),
    }),
  });
}

/** Changes time, description and lead of this one; `sent(send)` asks for the PIN where needed. */
export function changeOne({ checkIn, zone, signal, sent: withLeave }) {
  const was = localParts(checkIn.due, zone);
  const line = (name, input) => field({ name, label: t(`editor.${name}`), input });
  const description = line("description", h("input", { type: "text", maxlength: 160 }));
  const date = line("date", h("input", { type: "date", required: true, value: was.date }));
  const time = line("time", h("input", { type: "time", required: true, value: was.time }));
  const lead = leadField(Math.round((checkIn.due - checkIn.answerableFrom) / 60_000_000));
  description.input.value = checkIn.description;
  const fields = [description, date, time, lead];
  const values = () => Object.fromEntries(fields.map(({ name, input }) =>
    [name, name === "lead" ? Number(input.value) : input.value.trim()]));
  const before = values();

  function changes() {
    const now = values();
    const changed = Object.fromEntries(
      Object.entries(now).filter(([name, value]) => value !== before[name]));
    // Date and time are one moment.
    return "date" in changed || "time" in changed
      ? { ...changed, date: now.date, time: now.time } : changed;
  }
  return editorDialog({
    title: t("single.title"), text: t("single.text"), signal, values,
    make: ({ hasChanges, cancel, sent }) => form({
      fields, label: t("unsaved.save"), others: cancel, sent, isReady: hasChanges,
      places: { movedPast: "date", noDescription: "description" },
      send: () => withLeave((pin) => api.patch(pathOf(checkIn), { ...changes(), pin })),
    }),
  });
}
