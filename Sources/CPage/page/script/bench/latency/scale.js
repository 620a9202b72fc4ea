/** Round numbers for an axis, and where a value lies on it. */

/** What is left of this, µs, has no place on a logarithmic axis. */
const least = 0.1;

/** Zero and multiples of 1, 2 or 5 times a power of ten, some `count` of them. */
export function steps(end, count) {
  const rough = Math.max(end, 1e-6) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, index) => index * step);
}

/** Powers of ten from the one below to the one above. */
export function decades(low, high) {
  const first = Math.floor(Math.log10(Math.max(low, least)));
  const last = Math.max(Math.ceil(Math.log10(Math.max(high, least))), first + 1);
  return Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index));
}

/** Where a value lies between the first and the last of `decades`, 0 … 1. */
export function logarithmic(marks) {
  const low = Math.log10(marks[0]);
  const high = Math.log10(marks.at(-1));
  return (value) =>
    Math.min(1, Math.max(0, (Math.log10(Math.max(value, least)) - low) / (high - low)));
}

/** A coordinate, short. */
export const at = (value) => String(Math.round(value * 10) / 10);
