import { asRecord } from "../perceive/as-record.ts";
import { type SignalOf, verdicts } from "../signal.ts";

/** An answer to a request, without the request. */
export type Opinion = Pick<SignalOf<"opinion">, "verdict" | "advice">;

/** Characters at the end of an answer that are read. */
const MAX_ANSWER = 4_000;

/** Reads the answer of a model. What is no clear answer is `unsure`. */
export function readOpinion(answer: string): Opinion {
  const { verdict: said, advice } = asRecord(lastObject(answer.slice(-MAX_ANSWER)));
  const verdict = verdicts.find((name) => name === String(said).trim().toLowerCase());
  if (verdict === undefined) return { verdict: "unsure" };
  return typeof advice === "string" && verdict === "stuck" ? { verdict, advice } : { verdict };
}

/** The last JSON object in a text that may have other text or a fence around it. */
function lastObject(text: string): unknown {
  const end = text.lastIndexOf("}");
  for (let start = text.lastIndexOf("{", end); start >= 0; start = text.lastIndexOf("{", start - 1)) {
    const parsed = parse(text.slice(start, end + 1));
    if (parsed !== undefined) return parsed;
    if (start === 0) break;
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
