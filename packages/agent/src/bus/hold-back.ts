/** Words behind which a secret may stand. */
const opener =
  /(?:password|passwd|pwd|secret|token|api|key|authorization|credential|bearer|basic)[^\s]{0,40}\s*(?:[:=]\s*)?["']?(?:(?:bearer|basic|token)\s*)?$/i;
const contextLength = 96;
const maxHeld = 2_048;
const maxTries = 16;

/**
 * Splits a stream's text into what can be shown and what has to wait: a secret that comes in two pieces is known as one only when it is whole, so the
 * last word, and what opens it, is held back until the next space. Text without a space waits up to 2,048 characters.
 */
export function holdBack(text: string): { readonly ready: string; readonly held: string } {
  let cut = text.length;
  for (let tries = 0; tries < maxTries; tries += 1) {
    cut = lastSpace(text, cut);
    if (cut <= 0) break;
    if (!opener.test(text.slice(Math.max(0, cut - contextLength), cut))) return { ready: text.slice(0, cut), held: text.slice(cut) };
    cut -= 1;
  }
  return text.length > maxHeld ? { ready: text, held: "" } : { ready: "", held: text };
}

/** The place behind the last white space before `end`; 0 where there is none. */
function lastSpace(text: string, end: number): number {
  for (let place = end - 1; place >= 0; place -= 1) {
    const code = text.charCodeAt(place);
    if (code === 32 || code === 10 || code === 9 || code === 13) return place + 1;
  }
  return 0;
}
