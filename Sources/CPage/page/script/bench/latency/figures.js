/** How durations are written, as in the reports of `fob bench`; all in µs. */

import { figure, t } from "../../texts.js";

const none = "–";

/** For a column of µs: a tenth below a thousand, whole ones from there on; a dash for nothing. */
export function microseconds(value) {
  if (!Number.isFinite(value)) return none;
  return figure(value, Math.abs(value) < 999.95 ? 1 : 0);
}

/** In the most readable unit: `3.2 µs`, `20.9 ms`, `1.5 s`. */
export function duration(value) {
  if (!Number.isFinite(value)) return none;
  const size = Math.abs(value);
  if (size < 999.95) return t("latency.microseconds", { value: figure(value, 1) });
  if (size < 999_950) return t("latency.milliseconds", { value: figure(value / 1_000, 1) });
  return t("latency.seconds", { value: figure(value / 1_000_000, 1) });
}

/** As `duration`, for the marks of an axis: no `.0`. */
export function mark(value) {
  const [unit, scale] = value < 1_000 ? ["microseconds", 1]
    : value < 1_000_000 ? ["milliseconds", 1_000] : ["seconds", 1_000_000];
  const amount = value / scale;
  return t(`latency.${unit}`, { value: figure(amount, Number.isInteger(amount) ? 0 : 1) });
}

/** How many durations a percentile takes: fewer than three beyond it say nothing. */
export const needed = (percentile) => Math.round(300 / (100 - percentile));

/** A percentile of a stage, or null where it has too few presses for it. */
export function tail(stage, percentile) {
  return stage.count >= needed(percentile) ? stage[`p${percentile}`] ?? null : null;
}

/** Of the buckets `[[upper, count], …]` of a stage: the value at a percentile (0 … 100). */
export function valueAt(buckets, percentile) {
  const count = buckets.reduce((sum, [, some]) => sum + some, 0);
  let left = Math.max(1, Math.ceil(percentile / 100 * count));
  for (const [upper, some] of buckets) {
    left -= some;
    if (left <= 0) return upper;
  }
  return buckets.at(-1)?.[0] ?? 0;
}

/**
 * Whether a value of a stage says nothing: it lies between two clocks, and is below zero or no
 * larger than what they leave open. Without one it is the stage's median.
 */
export function isRefused(stage, uncertainty, value = stage.p50) {
  return Boolean(stage.crossesClocks) && Number.isFinite(value)
    && (uncertainty === null || value < 0 || value <= uncertainty);
}
