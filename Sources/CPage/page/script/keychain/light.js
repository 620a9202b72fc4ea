/** Plays a pattern of the light on the page's clock. */

const still = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * Where a pattern is after so many ms: whether it is on, and how long it stays so, Infinity for
 * ever. A step of 0 ms lasts for ever.
 */
export function placeIn({ steps, repeats }, elapsed) {
  const length = steps.reduce((sum, step) => sum + step.ms, 0);
  const isEndless = steps.some((step) => step.ms === 0);
  let rest = Math.max(0, elapsed);
  if (repeats && !isEndless && length > 0) rest %= length;
  for (const step of steps) {
    if (step.ms === 0) return { on: step.on, left: Infinity };
    if (rest < step.ms) return { on: step.on, left: step.ms - rest };
    rest -= step.ms;
  }
  return { on: steps.at(-1)?.on ?? false, left: Infinity };
}

/**
 * A player that calls `set` with "on", "off", "still" (a person wants no motion: the word alone
 * says it) or "unknown". The light is a few pixels wide, so that even its fastest flicker is far
 * below the area that may disturb (WCAG 2.3.1).
 */
export function light(set) {
  let pattern = null;
  let since = 0;
  let timer = null;

  function step() {
    clearTimeout(timer);
    if (!pattern) return set("unknown");
    if (still.matches && pattern.steps.length > 1) return set("still");
    const { on, left } = placeIn(pattern, performance.now() - since);
    set(on ? "on" : "off");
    if (left !== Infinity) timer = setTimeout(step, Math.max(4, Math.ceil(left)));
  }
  still.addEventListener("change", step);

  let playing = "";
  return {
    /** Plays what is called `name` from `begun` on, ms of performance.now(); the same goes on. */
    play(name, next, begun) {
      if (name === playing) return;
      playing = name;
      pattern = next;
      since = begun;
      step();
    },
  };
}

/** The pattern of a state, by its detail where that counts; null for a state unknown. */
export function patternOf(patterns, shown, detail) {
  const pattern = patterns[shown];
  if (!pattern) return null;
  const variant = pattern.variants?.find((variant) => detail >= variant.from);
  return { steps: variant?.steps ?? pattern.steps, repeats: pattern.repeats };
}
