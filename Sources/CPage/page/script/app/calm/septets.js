/** How long a text is as an SMS (3GPP TS 23.038, 6.2.1), while it is typed; the core decides. */

const basic = new Set("@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡"
  + "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà");
const extended = new Set("\f^{}\\[~]|€");

/** `{ units, limit }`: septets, or UTF-16 units where a character is in no septet. */
export function lengthOf(text) {
  let units = 0;
  for (const one of text) {
    if (!basic.has(one) && !extended.has(one)) return { units: text.length, limit: 70 };
    units += basic.has(one) ? 1 : 2;
  }
  return { units, limit: 160 };
}
