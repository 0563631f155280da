import { assignedSecret } from "./assigned-value.ts";
import { pemBlock } from "./key-blocks.ts";
import { secretsInRun } from "./long-run.ts";
import { commandSecret, markupSecret, tokenAroundSign } from "./secret-signs.ts";
import { secretAtStart } from "./secret-starts.ts";
import { isWordCode, type Span } from "./span.ts";
import { credentialsBeforeAt, credentialsInUrl } from "./url-credentials.ts";

/**
 * The secrets in a text, in their order, without overlaps. The text is read once: every rule looks a bounded number of
 * characters ahead or back, or the search continues behind what the rule read.
 */
export function findSecrets(text: string): readonly Span[] {
  const spans: Span[] = [];
  const { length } = text;
  let secretEnd = 0;
  /** The start of the current run of word characters, "-", "+" and "/"; -1 outside of a run. */
  let runStart = -1;
  let previous = OTHER;
  for (let index = 0; index <= length; index += 1) {
    const code = index < length ? text.charCodeAt(index) : 0;
    const kind = code < 128 ? (kinds[code] ?? OTHER) : OTHER;
    let found: Span | undefined;
    if (kind === WORD) {
      if (previous !== WORD) found = secretAtStart(text, index);
      if (runStart < 0) runStart = index;
    } else if (kind === JOINT) {
      if (previous !== WORD && code === DASH) found = pemBlock(text, index) ?? commandSecret(text, index);
      if (runStart < 0) runStart = index;
    } else {
      if (runStart >= 0) secretEnd = addLongSecrets(spans, text, runStart, index);
      runStart = -1;
      if (secretEnd > index) index = secretEnd - 1;
      else if (kind === SIGN) found = secretAtSign(text, index, code);
    }
    previous = kind;
    if (found === undefined || found.start < secretEnd) continue;
    if (runStart >= 0) addLongSecrets(spans, text, runStart, found.start);
    if (found.isPublic !== true) spans.push(found);
    secretEnd = found.end;
    // What follows is read as if a space stood before it.
    index = Math.max(index, found.end - 1);
    runStart = -1;
    previous = OTHER;
  }
  return spans;
}

/** Adds the secrets in a run to the spans, and returns the end of the last span. */
function addLongSecrets(spans: Span[], text: string, start: number, end: number): number {
  if (end - start >= MIN_RUN) for (const span of secretsInRun(text, start, end)) spans.push(span);
  return spans.at(-1)?.end ?? 0;
}

const DOLLAR = 36;
const DASH = 45;
const COLON = 58;
const LESS = 60;
const EQUALS = 61;
const AT = 64;

/** Shorter runs hold no key without a known start. */
const MIN_RUN = 40;
const OTHER = 0;
const WORD = 1;
/** The signs inside of base64 and of names with dashes. */
const JOINT = 2;
/** The signs at which a rule looks for a secret. */
const SIGN = 3;
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (isWordCode(code)) return WORD;
  if ("+-/".includes(character)) return JOINT;
  return "$:<=@|~".includes(character) ? SIGN : OTHER;
});

function secretAtSign(text: string, index: number, code: number): Span | undefined {
  switch (code) {
    case DOLLAR:
      return secretAtStart(text, index);
    case COLON:
      return credentialsInUrl(text, index) ?? assignedSecret(text, index) ?? tokenAroundSign(text, index);
    case EQUALS:
      return assignedSecret(text, index);
    case LESS:
      return markupSecret(text, index);
    case AT:
      return credentialsBeforeAt(text, index);
    default:
      return tokenAroundSign(text, index);
  }
}
