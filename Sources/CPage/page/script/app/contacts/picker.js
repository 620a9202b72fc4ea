/** The persons of an address book: who is taken, and with which one number (R120). */

import { h } from "../../dom.js";
import { inOrder, t } from "../../texts.js";

/** From so many persons on they can be searched. */
const many = 8;

/** `{ element, picked() }`; `changed()` is called at each choice. `found` is the API's preview. */
export function picker({ people, wrong }, changed) {
  const rows = [...people].sort((a, b) => inOrder(a.name, b.name)).map(personRow);
  const list = h("ul", { class: "people-found" }, rows.map((row) => row.element));
  list.addEventListener("change", changed);

  const search = h("input", { type: "search", id: "import-search" });
  search.addEventListener("input", () => {
    const words = search.value.trim().toLocaleLowerCase();
    for (const row of rows) {
      row.element.hidden = !row.person.name.toLocaleLowerCase().includes(words);
    }
  });
  const choose = (isWanted) => h("button", {
    type: "button",
    on: {
      click() {
        for (const row of rows) row.choose(isWanted && !row.element.hidden);
        changed();
      },
    },
  }, t(isWanted ? "import.all" : "import.none"));

  return {
    element: h("fieldset", { class: "picker" }, h("legend", {}, t("import.pick")),
      rows.length < many ? null : h("div", { class: "field" },
        h("label", { for: "import-search" }, t("import.search")), search),
      h("div", { class: "buttons" }, choose(true), choose(false)), list, ...wrongCards(wrong)),
    picked: () => rows.filter((row) => row.isPicked())
      .map((row) => ({ person: row.person.person, number: row.number() })),
  };
}

/** Whoever is a contact already is passed over by the core, and cannot be picked. */
function personRow(person) {
  const isThere = person.duplicate === "name";
  const box = h("input", { type: "checkbox", id: `import-${person.person}`, disabled: isThere });
  const usable = person.numbers.filter((one) => one.number);
  const chosen = usable.find((one) => one.chosen) ?? usable[0];
  const select = h("select", { "aria-label": t("import.number", { name: person.name }) },
    usable.map((one) => h("option", { value: one.number, selected: one === chosen }, one.number)));
  select.addEventListener("change", () => { box.checked = !isThere; });
  const notes = [
    person.email,
    person.duplicate && t(`import.duplicate.${person.duplicate}`),
  ].filter(Boolean);
  return {
    person,
    element: h("li", {}, box,
      h("div", { class: "who" },
        h("label", { for: box.id }, person.name),
        notes.length > 0 ? h("span", { class: "faint" }, notes.join(" · ")) : null),
      usable.length > 1 ? select : h("span", { class: "figures" }, chosen.number)),
    isPicked: () => box.checked,
    choose(isWanted) { box.checked = isWanted && !isThere; },
    number: () => usable.length > 1 ? select.value : chosen.number,
  };
}

/** The cards that nobody can be told by, each by its place in the file and its name. */
function wrongCards(wrong) {
  if (wrong.length === 0) return [];
  return [
    h("p", { class: "warning" }, t("import.wrong", { count: wrong.length })),
    h("ul", {}, wrong.map(({ person, name }) => h("li", {}, name
      ? t("import.wrong.named", { person, name }) : t("import.wrong.unnamed", { person })))),
  ];
}
