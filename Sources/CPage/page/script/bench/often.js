/** Calls that would come too often, brought together. */

/**
 * A function that calls `load` now, or `every` ms after the last call began, whichever is later,
 * and never two at a time; a call that comes meanwhile has one after it.
 */
export function often(load, every, signal) {
  let began = -Infinity;
  let isWaiting = false;
  let isLoading = false;
  let isWanted = false;

  async function begin() {
    isWaiting = false;
    if (signal.aborted) return;
    [began, isLoading, isWanted] = [performance.now(), true, false];
    await load();
    isLoading = false;
    if (isWanted) plan();
  }

  function plan() {
    isWanted = true;
    if (isWaiting || isLoading || signal.aborted) return;
    isWaiting = true;
    setTimeout(begin, Math.max(0, began + every - performance.now()));
  }

  return plan;
}
