/** What runs, what it uses, and how often check-ins did what (R111). */

import { ask, h, setText } from "../../dom.js";
import { api } from "../../api.js";
import { language, moment, number, t } from "../../texts.js";
import { action } from "../forms.js";

const counts = [
  "series", "open", "history", "asked", "completed", "clicked", "escalated", "missed",
];

/** Fills `place`. */
export async function statisticsPart(place, { signal }) {
  const refused = h("p", { class: "error general", role: "alert" });
  const said = h("p", { class: "said", role: "status" });
  const refuse = (text) => setText(refused, text);
  const shown = h("div", {});

  async function load() {
    const all = await api.get("/v1/statistics");
    if (!signal.aborted) shown.replaceChildren(...cards(all));
  }
  const again = action({ label: t("status.refresh"), work: load, refused: refuse });
  const reset = action({
    label: t("figures.reset"), refused: refuse,
    async work() {
      const wish = await ask({
        title: t("figures.reset.ask"), text: t("figures.reset.text"),
        buttons: [
          { label: t("button.no"), kind: "main" },
          { label: t("button.yes"), value: "reset", kind: "danger" },
        ],
      });
      if (wish !== "reset") return;
      await api.delete("/v1/statistics");
      await load();
      setText(said, t("figures.reset.done"));
    },
  });
  await load();
  place.append(shown, refused, said, h("div", { class: "buttons" }, again, reset));
}

function cards(all) {
  const { checkIns } = all;
  return [
    card("checkIns", [
      ["since", checkIns.since ? moment(checkIns.since) : t("figures.since.never")],
      ...counts.map((name) => [name, number(checkIns[name])]),
    ]),
    card("program", [
      ["version", all.version], ["build", all.build], ["builtAt", moment(all.builtAt)],
      ["uptime", duration(all.uptime)], ["memory", bytes(all.memory)],
      ["memoryPeak", bytes(all.memoryPeak)],
      ["screen", `${screen.width} × ${screen.height}`],
      ...all.batteries.map((one) => ["battery", `${one.device}: ${charge(one)}`]),
    ]),
    card("store", [
      ["database", bytes(all.database)], ["logLines", number(all.logLines)],
      ["files", h("ul", { class: "files" }, all.files.map((file) =>
        h("li", {}, `${file.name}: ${bytes(file.bytes)}, ${moment(file.changedAt)}`)))],
    ]),
  ];
}

const charge = ({ percent, hasNoBattery }) => percent !== undefined ? `${percent} %`
  : t(hasNoBattery ? "figures.none" : "figures.unknown");

const card = (name, rows) => h("section", { class: "card", "aria-labelledby": `figures-${name}` },
  h("h2", { id: `figures-${name}` }, t(`figures.${name}`)),
  h("dl", { class: "terms" }, rows.flatMap(([label, value]) =>
    [h("dt", {}, t(`figures.${label}`)), h("dd", { class: "figures" }, value)])));

const unit = (value, name) => new Intl.NumberFormat(language, {
  style: "unit", unit: name, unitDisplay: "short", maximumFractionDigits: 1,
}).format(value);

const bytes = (value) =>
  value < 1e6 ? unit(value / 1e3, "kilobyte") : unit(value / 1e6, "megabyte");

const duration = (seconds) => seconds < 3_600 ? unit(Math.floor(seconds / 60), "minute")
  : seconds < 172_800 ? unit(seconds / 3_600, "hour") : unit(seconds / 86_400, "day");
