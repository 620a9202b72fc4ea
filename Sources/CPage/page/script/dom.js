/** Elements of a document, without a template language. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element. `attributes` may have `on: {click: …}`; a value of null or false is left out,
 * true is the empty attribute. Children are nodes, texts, or arrays of them; null is left out.
 */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** As `h`, of SVG. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") {
      for (const [event, hear] of Object.entries(value)) element.addEventListener(event, hear);
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value);
    }
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/**
 * Replaces what is in an element, where it is not that text already: no work, no news for readers.
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Sets an attribute, or takes it away where `value` is null. */
export function setAttribute(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

/**
 * Does `work` at each click of a button, one at a time. A button at work says so and is not
 * disabled: the focus stays where it is.
 */
export function onPress(button, work) {
  button.addEventListener("click", async (event) => {
    if (button.getAttribute("aria-busy") === "true") return;
    button.setAttribute("aria-busy", "true");
    try {
      await work(event);
    } finally {
      button.removeAttribute("aria-busy");
    }
  });
}

/**
 * Brings the children of `list` to one element for each item, made by `make` and kept by its key.
 */
export function keyed(list, items, key, make, update) {
  const there = new Map([...list.children].map((child) => [child.dataset.key, child]));
  let place = list.firstElementChild;
  for (const item of items) {
    const name = String(key(item));
    let element = there.get(name);
    if (!element) {
      element = make(item);
      element.dataset.key = name;
    }
    there.delete(name);
    if (element !== place) list.insertBefore(element, place);
    else place = place.nextElementSibling;
    update?.(element, item);
  }
  for (const element of there.values()) element.remove();
}

/** Resolves once all of them have, or after that many ms. */
export function settled(promises, patience) {
  return Promise.race([
    Promise.allSettled(promises), new Promise((wake) => setTimeout(wake, patience)),
  ]);
}

/** A dialog that asks; resolves to the value of the button that was pressed, or null. */
export function ask({ title, text, buttons, content = null }) {
  return new Promise((resolve) => {
    const heading = h("h2", { id: "dialog-title" }, title);
    const row = h("div", { class: "buttons" }, buttons.map(({ label, value, kind = "" }) =>
      h("button", {
        type: "button", class: kind, on: { click: () => dialog.close(value ?? "") },
      }, label)));
    const dialog = h("dialog", { "aria-labelledby": "dialog-title" },
      heading, text ? h("p", {}, text) : null, content, row);
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue || null);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
