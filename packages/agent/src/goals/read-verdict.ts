import type { Verdict } from "../protocol/goal.ts";
import { isRecord, parseJson } from "../protocol/json.ts";
import { shortLine } from "../protocol/short-line.ts";

const MAX_REASON = 400;
const MAX_HINT = 1_200;

/** What the model said about a turn. */
export interface ModelVerdict {
  readonly verdict: Verdict["type"];
  readonly reason: string;
  readonly hint: string;
  /** By the number of the criterion or constraint: whether it is met or respected. */
  readonly criteria: ReadonlyMap<number, Decision>;
  readonly constraints: ReadonlyMap<number, Decision>;
}

export interface Decision {
  readonly isOk: boolean;
  readonly reason: string;
}

type Redact = (text: string) => string;

const verdictTypes: readonly Verdict["type"][] = ["accept", "retry", "escalate", "continue"];
/** No model needs to escape a letter: it would hide a key. */
const escapedLetter = /\\u00[4-7][0-9a-f]/i;
/** A key of an object. Inside a string, its quotes would be escaped. */
const verdictKey = /(?<!\\)"verdict"\s*:/g;
const codeFence = /```[a-z]*\n([\s\S]*?)\n?\s*```/gi;

/**
 * Reads the answer of the model: one JSON object with one verdict, alone or in one code fence. Returns undefined for
 * everything else, also for an answer with several verdicts: one of them may be a quotation of the agent.
 */
export function readVerdict(answer: string, redact: Redact): ModelVerdict | undefined {
  if (answer.match(verdictKey)?.length !== 1 || escapedLetter.test(answer)) return undefined;
  const fenced = [...answer.matchAll(codeFence)].map(([, text = ""]) => text);
  const parsed = parseJson(fenced.length === 1 && !answer.trim().startsWith("{") ? (fenced[0] ?? "") : answer);
  if (!isRecord(parsed)) return undefined;
  const said = parsed["verdict"];
  const verdict = verdictTypes.find((type) => typeof said === "string" && type === said.trim().toLowerCase());
  if (verdict === undefined) return undefined;
  // Secrets are masked before a text is cut.
  const line = (value: unknown, max: number) => (typeof value === "string" ? shortLine(redact(value), max) : "");
  return {
    verdict,
    reason: line(parsed["reason"], MAX_REASON),
    hint: line(parsed["hint"], MAX_HINT),
    criteria: decisions(parsed["criteria"], "met", line),
    constraints: decisions(parsed["constraints"], "respected", line),
  };
}

/** If a number is decided twice, the decision against the agent counts. */
function decisions(
  list: unknown,
  key: "met" | "respected",
  line: (value: unknown, max: number) => string,
): ReadonlyMap<number, Decision> {
  const decided = new Map<number, Decision>();
  for (const entry of Array.isArray(list) ? list : []) {
    if (!isRecord(entry)) continue;
    const number = Number(entry["number"]);
    const isOk = entry[key];
    if (!Number.isInteger(number) || typeof isOk !== "boolean" || decided.get(number)?.isOk === false) continue;
    decided.set(number, { isOk, reason: line(entry["reason"], MAX_REASON) });
  }
  return decided;
}
