/** The owner's affirmations: one at a time, and when they are reminded of it (R75, R76). */

import { h, setText } from "../../dom.js";
import { api } from "../../api.js";
import { t } from "../../texts.js";
import { weekdayName, weekdays } from "../check-ins/words.js";
import { editorDialog } from "../dialog.js";
import { action, field, form, problemText, setOff } from "../forms.js";
import { card } from "./exercises.js";

const path = "/v1/affirmations";
const longest = 160;
/** What each schedule has beside `every`. */
const parts = {
  never: [], hourly: ["minute"], daily: ["hour", "minute"], weekly: ["weekday", "hour", "minute"],
};

/** The card, until `signal` is aborted. */
export function affirmationsCard({ model, signal }) {
  const line = h("blockquote", { "aria-live": "polite" });
  const said = h("p", { class: "faint" });
  let all = null;

  const button = (name, work, kind = "") => action({
    label: t(`affirmations.${name}`), kind, refused: (text) => refuse(text),
    async work() {
      await work();
      await load();
    },
  });
  const previous = button("previous", () => api.put(`${path}/current`, { go: "previous" }));
  const next = button("next", () => api.put(`${path}/current`, { go: "next" }), "main");
  const add = button("add", () => addLine(signal));
  const remove = button("remove", () => api.delete(`${path}/${all.current}`, {}));
  const remind = button("remind", () => editSchedule(all.schedule, signal));
  const { element, refuse } = card("affirmations", line, said,
    h("div", { class: "buttons" }, previous, next, add, remove, remind));

  async function load() {
    try {
      const now = await api.get(path);
      if (signal.aborted) return;
      all = now;
      const shown = all.affirmations.find(({ id }) => id === all.current);
      setText(line, shown?.text ?? t("affirmations.none"));
      for (const one of [previous, next, remove]) setOff(one, !shown);
      setText(said, scheduleWords(all.schedule));
    } catch (problem) {
      refuse(problemText(problem));
    }
  }
  model.addEventListener("line", ({ detail }) => {
    if (detail.name.startsWith("affirmation")) load();
  }, { signal });
  load();
  return element;
}

function scheduleWords({ every, weekday, hour = 0, minute = 0 }) {
  const two = (value) => String(value).padStart(2, "0");
  return t(`affirmations.${every}`, {
    weekday: weekday ? weekdayName(weekday) : "", time: `${two(hour)}:${two(minute)}`, minute,
  });
}

function addLine(signal) {
  const text = field({
    name: "text", label: t("affirmations.line"),
    hint: t("affirmations.hint", { count: longest }), input: h("textarea", { rows: 3 }),
  });
  const values = () => text.input.value.trim();
  return editorDialog({
    title: t("affirmations.add"), values, signal,
    make: ({ cancel, sent }) => form({
      fields: [text], label: t("slot.save"), others: cancel, sent,
      isReady: () => values() !== "", send: () => api.post(path, { text: values() }),
    }),
  });
}

function editSchedule(schedule, signal) {
  const choice = (name, options) => {
    const input = h("select", {}, options.map(([value, label]) =>
      h("option", { value, selected: String(schedule[name] ?? "") === String(value) }, label)));
    return field({ name, label: t(`affirmations.${name}`), input });
  };
  const numbers = (most) => Array.from({ length: most }, (_, value) => [value, String(value)]);
  const every = choice("every",
    Object.keys(parts).map((one) => [one, t(`affirmations.${one}.name`)]));
  const others = [
    choice("weekday", weekdays.map((day) => [day, weekdayName(day)])),
    choice("hour", numbers(24)), choice("minute", numbers(60)),
  ];
  const values = () => Object.fromEntries([
    ["every", every.input.value],
    ...others.filter(({ name }) => parts[every.input.value].includes(name))
      .map(({ name, input }) => [name, name === "weekday" ? input.value : Number(input.value)]),
  ]);
  const show = () => {
    for (const one of others) one.element.hidden = !parts[every.input.value].includes(one.name);
  };
  every.input.addEventListener("change", show);
  show();
  return editorDialog({
    title: t("affirmations.remind"), values, signal,
    make: ({ hasChanges, cancel, sent }) => form({
      fields: [every, ...others], label: t("slot.save"), others: cancel, sent, isReady: hasChanges,
      send: () => api.put(`${path}/schedule`, values()),
    }),
  });
}
