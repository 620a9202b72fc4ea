/** Keeps the screen on (R53), and says so only where it is true. */

import { t } from "../../texts.js";

/** Until `signal` is aborted; a page that was out of sight asks again when it is seen. */
export function keepAwake(signal, say) {
  let lock = null;
  const request = async () => {
    if (document.visibilityState !== "visible" || signal.aborted) return;
    try {
      lock = await navigator.wakeLock.request("screen");
      say(t("awake.on"));
      lock.addEventListener("release", () => say(t("awake.off")));
      if (signal.aborted) lock.release();
    } catch {
      say(t("awake.off"));
    }
  };
  document.addEventListener("visibilitychange", request, { signal });
  signal.addEventListener("abort", () => lock?.release());
  request();
}
