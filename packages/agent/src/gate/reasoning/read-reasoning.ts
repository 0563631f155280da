import type { GateReasoning } from "../../protocol/gate-reasoning.ts";
import { isRecord, parseJson } from "../../protocol/json.ts";
import { shortLine } from "../../protocol/short-line.ts";
import type { Redact } from "../../secrets/redact.ts";

/** Characters at the end of an answer that are read, and of a reason. */
const MAX_ANSWER = 4_000;
const MAX_REASON = 200;

const verdicts: readonly GateReasoning["verdict"][] = ["fits", "does not fit", "unsure"];

/** Reads the answer of a model. What is no clear answer is `unsure`. */
export function readReasoning(answer: string, redact: Redact): Pick<GateReasoning, "verdict" | "reason"> {
  const said = lastAnswer(answer.slice(-MAX_ANSWER));
  const verdict = verdicts.find((name) => name === String(said?.verdict).trim().toLowerCase());
  if (verdict === undefined) return { verdict: "unsure", reason: "The answer of the model has no verdict." };
  const reason = typeof said?.reason === "string" ? shortLine(redact(said.reason), MAX_REASON) : "";
  return { verdict, reason: reason === "" ? "The model gave no reason." : reason };
}

/** The last JSON object that begins with a verdict, in a text that may have other text or a fence around it. */
function lastAnswer(text: string): { readonly verdict?: unknown; readonly reason?: unknown } | undefined {
  const start = text.search(/\{\s*"verdict"\s*:(?![\s\S]*\{\s*"verdict"\s*:)/);
  for (let end = text.indexOf("}", start); start >= 0 && end >= 0; end = text.indexOf("}", end + 1)) {
    const answer = parseJson(text.slice(start, end + 1));
    if (isRecord(answer)) return answer; // else the brace was inside a text
  }
  return undefined;
}
