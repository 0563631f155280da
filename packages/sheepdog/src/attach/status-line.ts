import type { SpoolLine } from "@sheepdog/integrations/hooks";
import { plainText } from "../render/terminal/plain-text.ts";
import { countsText, hookActivity } from "./hook-activity.ts";

const MAX_CHARS = 80;
/** A message is shown for this long. */
const NEWS_MS = 10 * 60_000;

/**
 * One line below the prompt of Claude Code: cost, what the guardian does, and its last message; as long as the
 * configuration has a `problem`, that.
 */
export function statusLine(
  input: unknown,
  lines: readonly SpoolLine[],
  { now, problem }: { readonly now: number; readonly problem?: string | undefined },
): string {
  const { applied, observed } = hookActivity(lines);
  const session = lines.findLast((line) => line.type === "session");
  const intervention = lines.findLast((line) => line.type === "intervention");
  const isNews = intervention !== undefined && now - intervention.at < NEWS_MS;
  const wouldHave = countsText(observed);
  const state =
    countsText(applied) ??
    (wouldHave === undefined ? (session?.mode === "observe" ? "observing" : "watching") : `would have: ${wouldHave}`);
  const cost = costOf(input);
  const parts = [
    ...(cost === undefined ? [] : [`$${cost.toFixed(2)}`]),
    session === undefined ? "no hook has fired yet" : state,
    ...(problem !== undefined
      ? [shortened(plainText(problem))]
      : isNews
        ? [shortened(plainText(intervention.intervention.message))]
        : []),
  ];
  return `sheepdog ${parts.join(" · ")}`;
}

/** Claude Code's own figure for the session. */
function costOf(input: unknown): number | undefined {
  if (typeof input !== "object" || input === null || !("cost" in input)) return undefined;
  const { cost } = input;
  if (typeof cost !== "object" || cost === null || !("total_cost_usd" in cost)) return undefined;
  return typeof cost.total_cost_usd === "number" ? cost.total_cost_usd : undefined;
}

function shortened(text: string): string {
  return text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS - 1)}…`;
}
