import { asRecord } from "../perceive/as-record.ts";
import { oneLine } from "../perceive/one-line.ts";
import { type SignalOf, verdicts } from "../signal.ts";

/** An answer to a request, without the request. */
export type Opinion = Pick<SignalOf<"opinion">, "verdict" | "advice">;

/** Characters at the end of an answer that are read. */
const MAX_ANSWER = 4_000;

/** Reads the answer of a model. What is no clear answer is `unsure`. */
export function readOpinion(answer: string): Opinion {
  const { verdict: said, advice } = asRecord(lastAnswer(answer.slice(-MAX_ANSWER)));
  const verdict = verdicts.find((name) => name === String(said).trim().toLowerCase());
  if (verdict === undefined) return { verdict: "unsure" };
  const line = typeof advice === "string" && verdict === "stuck" ? oneLine(advice) : undefined;
  return line === undefined ? { verdict } : { verdict, advice: line };
}

/** The last JSON object that begins with a verdict, in a text that may have other text or a fence around it. */
function lastAnswer(text: string): unknown {
  const start = text.search(/\{\s*"verdict"\s*:(?![\s\S]*\{\s*"verdict"\s*:)/);
  if (start < 0) return undefined;
  for (let end = text.indexOf("}", start); end >= 0; end = text.indexOf("}", end + 1)) {
    const parsed = parse(text.slice(start, end + 1));
    if (parsed !== undefined) return parsed;
  }
  return undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
