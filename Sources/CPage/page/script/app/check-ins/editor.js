/**
 * The editor of a series: what is asked, by which rule, and what becomes of silence (R90 to R96,
 * R108 to R110). The next dates are the core's own answer to what stands there.
 */

import { ask, h, setAttribute, setText } from "../../dom.js";
import { api, Problem } from "../../api.js";
import { t } from "../../texts.js";
import { dropDraft, keepDraft } from "../draft.js";
import { field, form, problemText } from "../forms.js";
import { withPIN } from "../pin.js";
import { isSettled, keepSafe } from "../unsaved.js";
import { choiceField, leadField, numberField } from "./fields.js";
import { previewList } from "./preview.js";
import { ruleField } from "./rule.js";
import { localParts } from "./words.js";

/** Where each refusal stands (R108). */
const places = {
  startPast: "start", endPast: "end", movedPast: "start", noDescription: "description",
};

/** Fills `place`: by `name` of the address a new series, an edit, or one that is reactivated. */
export async function seriesEditor(place, context) {
  const { model, account, signal, path, name, id, lead, restored } = context;
  const address = `/v1/check-ins/series/${encodeURIComponent(id)}`;
  const before = name === "new" ? null : await api.get(address);
  if (signal.aborted) return;
  const today = localParts(model.status.now.wall, account.zone);
  const given = initial(name, before, today);
  const fields = seriesFields({ values: restored ?? given, model, today, changed: () => look() });
  const saved = JSON.stringify(given);
  let isOver = false;
  const hasChanges = () => !isOver && JSON.stringify(fields.values()) !== saved;

  const needsPIN = () => (before?.escalates || fields.values().escalates)
    && model.status.account.isSetUp && model.status.account.hasPIN;
  const warning = h("p", { class: "faint" }, t("editor.needsPIN"));
  const cancel = h("button", { type: "button" }, t("button.cancel"));
  const preview = previewList({ account, fail: failPreview });

  const send = (body) => name === "new" ? api.post("/v1/check-ins/series", body)
    : name === "edit" ? api.patch(address, body) : api.post(`${address}/reactivate`, body);

  const made = form({
    fields: fields.all, content: fields.content, label: t(`editor.save.${name}`), others: cancel,
    places, isReady: () => name !== "edit" || hasChanges(),
    async send() {
      const values = fields.values();
      // Its answer would take away what is said now.
      preview.stop();
      // Nobody types a PIN for nothing.
      if (!values.description) throw new Problem(422, { code: "noDescription" });
      // An edit says only what it changes: what began long ago may stay so.
      const body = name === "edit" ? changesOf(values, given) : values;
      if (name === "edit" && !await mayDrop(body, address)) return false;
      if (!needsPIN()) return send(body);
      return withPIN({
        model, signal, title: t("pin.enter"), send: (pin) => send({ ...body, pin }),
      });
    },
    sent() {
      isOver = true;
      dropDraft();
      model.refresh();
      lead("", t(`editor.saved.${name}`));
    },
  });
  const editor = {
    hasChanges, save: made.submit,
    discard() {
      isOver = true;
      dropDraft();
    },
  };
  cancel.addEventListener("click", async () => {
    if (!hasChanges() || await isSettled(editor) && !signal.aborted) lead("", "");
  });

  /** What is refused already is said where it stands; nobody is led away from what they write. */
  function failPreview(problem) {
    for (const one of fields.all) one.fail("");
    if (!problem) return "";
    const about = fields.all.find((one) => one.name === (places[problem.code]
      ?? /^\w+/.exec(problem.body?.field ?? "")?.[0]));
    about?.fail(problemText(problem));
    return about ? t("preview.refused") : problemText(problem);
  }
  function look() {
    warning.hidden = !needsPIN();
    const values = fields.values();
    if (hasChanges()) keepDraft({ path, values });
    else dropDraft();
    made.update();
    // Of a series that is there the core knows what it has done so far.
    preview.ask(values.rule,
      before ? { ...changesOf(values, before), series: before.id } : values);
  }

  for (const event of ["input", "change"]) made.element.addEventListener(event, look);
  keepSafe({ signal, ...editor });
  signal.addEventListener("abort", preview.stop);
  place.append(h("div", { class: "editor-view" },
    h("section", { class: "card", "aria-labelledby": "editor-title" },
      h("h2", { id: "editor-title" }, t(`editor.title.${name}`)), made.element),
    preview.element));
  made.element.querySelector(".buttons").before(warning);
  look();
  fields.all[0].input.focus();
}

/** What the fields begin with. */
function initial(name, before, today) {
  if (!before) {
    const hour = Number(today.time.slice(0, 2)) + 1;
    return {
      description: "", rule: { kind: "days", every: 1, times: 1, hoursApart: 1 },
      time: `${String(hour % 24).padStart(2, "0")}:00`, start: today.date, end: null, lead: 0,
      escalates: true, limit: 20, device: null,
    };
  }
  const { description, time, start, end, lead, escalates, limit, device } = before;
  // As its fields say it: what nobody has touched is no change.
  const rule = ruleField({ rule: before.rule, start, changed() {} }).rule();
  const its = {
    description, rule, time, start, end: end ?? null, lead, escalates, limit,
    device: device ?? null,
  };
  // What is over begins anew.
  return name === "reactivate" ? { ...its, start: today.date, end: null } : its;
}

const changesOf = (values, given) => Object.fromEntries(Object.entries(values)
  .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(given[name])));

/** Whether the single dates that were changed may go, which they do with another rule or time. */
async function mayDrop(body, address) {
  if (!["rule", "time", "start", "end"].some((name) => name in body)) return true;
  const { exceptions } = await api.get(address);
  const count = exceptions.filter((one) => !one.isAsked).length;
  return count === 0 || await ask({
    title: t("editor.drops.ask"), text: t("editor.drops", { count }),
    buttons: [
      { label: t("button.cancel") },
      { label: t("editor.save.edit"), value: "save", kind: "main" },
    ],
  }) === "save";
}

/** All fields, their values as the API takes them, and how they stand in the form. */
function seriesFields({ values: given, model, changed }) {
  const description = field({
    name: "description", label: t("editor.description"), hint: t("editor.description.hint"),
    input: h("input", { type: "text", maxlength: 160, autocomplete: "off" }),
  });
  description.input.value = given.description;
  const rule = ruleField({
    rule: given.rule, start: given.start,
    changed() {
      shape();
      changed();
    },
  });
  const time = field({
    name: "time", label: t("editor.time"),
    input: h("input", { type: "time", required: true, value: given.time }),
  });
  const start = field({
    name: "start", label: t("editor.start"),
    input: h("input", { type: "date", required: true, value: given.start }),
  });
  const end = endField(given.end);
  const lead = leadField(given.lead);
  const escalates = field({
    name: "escalates", label: t("editor.escalates"), hint: t("editor.escalates.hint"),
    input: h("input", { type: "checkbox" }),
  });
  escalates.input.checked = given.escalates;
  const limit = numberField({
    name: "limit", label: t("editor.limit"), hint: t("editor.limit.hint"), least: 5, most: 1_440,
    value: given.limit,
  });
  const device = deviceField(given.device, model.status.devices);

  function shape() {
    limit.element.hidden = !escalates.input.checked;
    end.element.hidden = rule.kind === "once";
    setText(start.element.querySelector("label"),
      t(rule.kind === "once" ? "editor.date" : "editor.start"));
  }
  escalates.input.addEventListener("change", shape);
  shape();
  return {
    all: [description, rule, time, start, end, lead, escalates, limit, device],
    content: [
      description.element, rule.element,
      h("div", { class: "row" }, time.element, start.element, end.element),
      lead.element, escalates.element, limit.element, device.element,
    ],
    values: () => ({
      description: description.input.value.trim(), rule: rule.rule(), time: time.input.value,
      start: start.input.value, end: rule.kind === "once" ? null : end.input.value || null,
      lead: Number(lead.input.value), escalates: escalates.input.checked,
      limit: Number(limit.input.value), device: device.input.value || null,
    }),
  };
}

/** R95: an end that need not be, and can be taken away. */
function endField(present) {
  const input = h("input", { type: "date", value: present });
  const end = field({ name: "end", label: t("editor.end"), hint: t("editor.end.hint"), input });
  const clear = h("button", { type: "button" }, t("editor.end.clear"));
  clear.addEventListener("click", () => {
    input.value = "";
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.focus();
  });
  const show = () => setAttribute(clear, "aria-disabled", input.value ? null : "true");
  input.addEventListener("input", show);
  show();
  input.after(clear);
  return end;
}

/** Which keychain shows it and answers it by a click; every one where none is named. */
function deviceField(present, devices) {
  const owned = devices.filter((one) => one.isOwned).map((one) => one.device);
  const all = [...new Set([...owned, present].filter(Boolean))];
  return choiceField({
    name: "device", label: t("editor.device"), value: present ?? "",
    options: [["", t("editor.device.every")], ...all.map((one) => [one, one])],
  });
}
