/**
 * The frames of the wire as they came, the last some thousand of them: memory stays flat for hours.
 * "row" tells of one more, "rows" that all are others: cleared, or filtered in another way; "names"
 * that there is another type or device.
 */

/** So many rows are kept to be filtered. */
export const mostKept = 4_000;
/** Dropped at once, so that an array is not moved for each frame. */
const drop = 500;

export class WireLog extends EventTarget {
  /**
   * Oldest first: what `fob monitor --json` prints, with its `line`, and as `device` the keychain
   * where that is known; or {kind: "gap", lost}.
   */
  rows = [];
  /** All types and devices ever heard. */
  types = new Set();
  devices = new Set();
  /** What is wanted; "" is all. */
  filter = { device: "", to: "", type: "", text: "" };
  /** Whether frames of routine are folded, where they are not what is looked for. */
  isFolding = true;

  constructor(feed) {
    super();
    feed.addEventListener("frame", ({ detail }) => {
      // Of a line; of a keychain once it has said its name.
      const row = { ...detail, device: detail.keychain ?? detail.device, line: detail.device };
      const isNew = !this.types.has(typeOf(row)) || !this.devices.has(row.device);
      this.types.add(typeOf(row));
      this.devices.add(row.device);
      if (isNew) this.dispatchEvent(new Event("names"));
      this.#add(row);
    });
    feed.addEventListener("gap", ({ detail }) =>
      this.#add({ kind: "gap", lost: detail.lost, at: feed.now }));
  }

  /** Filters by some of the four from now on. */
  want(change) {
    Object.assign(this.filter, change);
    this.dispatchEvent(new Event("rows"));
  }

  get folds() { return this.isFolding && !this.filter.type && !this.filter.text; }

  foldQuiet(isFolding) {
    this.isFolding = isFolding;
    this.dispatchEvent(new Event("rows"));
  }

  clear() {
    this.rows = [];
    this.dispatchEvent(new Event("rows"));
  }

  /** Whether the filter lets a row through. A gap may have hidden anything: it always passes. */
  shows(row) {
    if (row.kind === "gap") return true;
    const { device, to, type, text } = this.filter;
    return (!device || row.device === device) && (!to || row.to === to)
      && (!type || typeOf(row) === type) && (!text || wordsOf(row).includes(text.toLowerCase()));
  }

  #add(row) {
    if (this.rows.length >= mostKept) this.rows.splice(0, drop);
    this.rows.push(row);
    this.dispatchEvent(new CustomEvent("row", { detail: row }));
  }
}

/** The type's name; "damaged" for what is no frame. */
export const typeOf = (row) => row.kind === "damaged" ? "damaged" : row.type;

/** The fields of a frame, those of its entries behind the others: [name, {text, raw}]. */
export function fieldsOf(row) {
  const entries = (row.entries ?? []).flatMap((entry, number) =>
    Object.entries(entry).map(([name, field]) => [`[${number}] ${name}`, field]));
  return [...Object.entries(row.fields ?? {}), ...entries];
}

function wordsOf(row) {
  const fields = fieldsOf(row).map(([name, field]) => `${name} ${field.text} ${field.raw}`);
  const { device, line, reason, remark, comment, wire } = row;
  return [typeOf(row), device, line, reason, remark, comment, wire, ...fields]
    .filter(Boolean).join("\n").toLowerCase();
}
