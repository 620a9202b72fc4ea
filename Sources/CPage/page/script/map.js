/** Where a keychain has been, without tiles: a path over a grid with its scale, north up. */

import { h, setAttribute, setText, svg } from "./dom.js";
import { ago, figure, number, t } from "./texts.js";

const [width, height, edge] = [300, 200, 18];
const mostFixes = 1_024;
/** The map shows so many metres at least, so that a receiver's noise is no journey. */
const leastSpan = 40;
const metresPerDegree = 111_195;

/**
 * Fixes of one keychain, drawn while `isSeen()`: each has latitude and longitude in 1e-7 degree, a
 * moment in µs as `at`, a quality by its word, and may have an accuracy in decimetres.
 */
export function map(isSeen) {
  const grid = svg("path", { class: "grid" });
  const begin = svg("circle", { class: "begin", r: 3.5 });
  const path = svg("polyline", { class: "way" });
  const doubt = svg("circle", { class: "doubt" });
  const here = svg("circle", { class: "here", r: 5 });
  const bar = svg("path", { class: "scale" });
  const length = svg("text", { class: "scale", x: edge, y: height - 12 });
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img" },
    grid, path, begin, doubt, here, bar, length,
    svg("path", { class: "north", d: `M${width - 18} 30v-18l-4 6m4-6l4 6` }),
    svg("text", { class: "north", x: width - 22, y: 44 }, t("map.north")));
  const last = h("p", { class: "reading figures last-fix" });
  const element = h("div", { class: "map" }, picture);
  let fixes = [];

  function draw() {
    const there = fixes.at(-1);
    element.classList.toggle("empty", !there);
    setAttribute(picture, "aria-label",
      there ? t("map.label", { count: fixes.length }) : t("map.none"));
    if (!there) return;
    const place = project(fixes);
    const points = fixes.map(place.of);
    setAttribute(path, "points",
      points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" "));
    const [x, y] = points.at(-1).map((value) => value.toFixed(1));
    const isKnown = there.accuracy !== undefined && there.accuracy !== null;
    for (const circle of [here, doubt]) {
      setAttribute(circle, "cx", x);
      setAttribute(circle, "cy", y);
    }
    setAttribute(begin, "cx", points[0][0].toFixed(1));
    setAttribute(begin, "cy", points[0][1].toFixed(1));
    setAttribute(doubt, "r", isKnown ? (there.accuracy / 10 * place.scale).toFixed(1) : 0);
    const metres = round(70 / place.scale);
    setAttribute(grid, "d", squares(metres * place.scale));
    setAttribute(bar, "d", `M${edge} ${height - 10}v4h${(metres * place.scale).toFixed(1)}v-4`);
    setText(length, metres >= 1000 ? t("map.kilometres", { length: number(metres / 1000) })
      : t("map.metres", { length: number(metres) }));
  }

  return {
    element,
    /** The last fix in words; kept by `tick`. */
    last,
    /** All that is known already, in place of what stood here. */
    set(known) {
      fixes = known.slice(-mostFixes);
      draw();
    },
    add(fix) {
      // One of no quality is of no place.
      if (fix.quality === "none") return;
      fixes.push(fix);
      if (fixes.length > mostFixes) fixes.shift();
      if (isSeen()) draw();
    },
    draw,
    /** `now` is on the clock of the fixes, µs. */
    tick(now) {
      const there = fixes.at(-1);
      if (!there) return setText(last, t("map.none"));
      const values = {
        latitude: figure(there.latitude / 1e7, 5), longitude: figure(there.longitude / 1e7, 5),
        accuracy: there.accuracy === undefined || there.accuracy === null ? "?"
          : number(there.accuracy / 10),
        quality: t(`fix.${there.quality}`), ago: ago((now - there.at) / 1000),
      };
      setText(last, t("map.last", values));
    },
  };
}

/** Equirectangular around the first fix: true enough for a walk, or a drive. */
function project(fixes) {
  const first = fixes[0];
  const narrow = Math.cos(first.latitude / 1e7 * Math.PI / 180);
  const metres = (fix) => [
    (fix.longitude - first.longitude) / 1e7 * metresPerDegree * narrow,
    (fix.latitude - first.latitude) / 1e7 * metresPerDegree,
  ];
  const [east, north] = [0, 1].map((axis) => {
    const values = fixes.map((fix) => metres(fix)[axis]);
    return { least: Math.min(...values), most: Math.max(...values) };
  });
  const scale = Math.min(
    (width - 2 * edge) / Math.max(leastSpan, east.most - east.least),
    (height - 3 * edge) / Math.max(leastSpan, north.most - north.least));
  return {
    /** Units of the drawing for a metre. */
    scale,
    of(fix) {
      const [x, y] = metres(fix);
      return [
        width / 2 + (x - (east.least + east.most) / 2) * scale,
        (height - edge) / 2 - (y - (north.least + north.most) / 2) * scale,
      ];
    },
  };
}

/** Lines so far apart, from the left end of the scale on, so that the grid is what it measures. */
function squares(side) {
  const lines = (from, to) => {
    const first = from - Math.floor(from / side) * side;
    return Array.from({ length: Math.ceil((to - first) / side) }, (_, place) =>
      (first + place * side).toFixed(1));
  };
  return [...lines(edge, width).map((x) => `M${x} 0V${height}`),
    ...lines(height - 6, height).map((y) => `M0 ${y}H${width}`)].join("");
}

/** 1, 2 or 5 times a power of ten, at most that. */
function round(metres) {
  const power = 10 ** Math.floor(Math.log10(metres));
  return [5, 2, 1].find((digit) => digit * power <= metres) * power;
}
