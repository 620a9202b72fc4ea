/** Where the owner finds help: always in sight, and theirs to change. */

import { h, setText } from "../../dom.js";
import { api } from "../../api.js";
import { t } from "../../texts.js";
import { editorDialog } from "../dialog.js";
import { action, field, form, problemText } from "../forms.js";

const most = 10;

/** The list and its editor. */
export function linksPart({ signal }) {
  const refused = h("p", { class: "error", role: "alert" });
  const list = h("ul", { class: "help-links" });
  let links = [];

  function show(now) {
    links = now;
    list.replaceChildren(...links.map(({ label, phone, address }) => h("li", {},
      h("span", {}, label), " ",
      phone ? h("a", { href: `tel:${phone.replace(/[^0-9+*#]/g, "")}` }, phone) : null, " ",
      address ? h("a", { href: address, rel: "noreferrer", target: "_blank" },
        t("links.open", { label })) : null)));
  }
  const edit = action({
    label: t("links.edit"), refused: (text) => setText(refused, text),
    work: () => editLinks({ links, signal, saved: show }),
  });
  api.get("/v1/help/links").then((answer) => {
    if (!signal.aborted) show(answer.links);
  }).catch((problem) => setText(refused, problemText(problem)));
  return h("section", { "aria-labelledby": "links-title" },
    h("h3", { id: "links-title" }, t("links.title")), refused, list,
    h("div", { class: "buttons" }, edit));
}

/** As one text, a line each: what it is, its phone, its address, between semicolons. */
function editLinks({ links, signal, saved }) {
  const lines = field({
    name: "links", label: t("links.lines"), hint: t("links.hint", { count: most }),
    input: h("textarea", { rows: 6 }),
  });
  lines.input.value = links.map(({ label, phone, address }) =>
    [label, phone ?? "", address ?? ""].join("; ")).join("\n");
  const values = () => lines.input.value.split("\n").filter((line) => line.trim() !== "")
    .map((line) => {
      const [label, phone = "", address = ""] = line.split(";").map((part) => part.trim());
      return { label, phone, address };
    });
  return editorDialog({
    title: t("links.edit"), values, signal,
    make: ({ hasChanges, cancel, sent }) => form({
      fields: [lines], label: t("slot.save"), others: cancel, isReady: hasChanges, sent,
      send: async () => saved((await api.put("/v1/help/links", { links: values() })).links),
      places: { invalid: "links", wrongShape: "links" },
    }),
  });
}
