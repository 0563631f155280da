import type { ScriptedFigure, ScriptedRequest, ScriptedTurn } from "./script.ts";

/** The token figures of a reply as they are sent; `missing` when the field is not sent at all. */
export type ReportedUsage =
  | {
      readonly input: ScriptedFigure;
      readonly cacheRead: ScriptedFigure;
      readonly cacheWrite: ScriptedFigure;
      readonly output: ScriptedFigure;
      readonly thinking: ScriptedFigure;
    }
  | "missing"
  | null;

/** The token figures of a turn: those of the script, otherwise estimated at four characters a token. */
export function reportedUsage(turn: ScriptedTurn, request: ScriptedRequest): ReportedUsage {
  if (turn.usage === null || turn.usage === "missing") return turn.usage;
  const thinking = tokensOf(turn.thinking ?? "");
  const calls = (turn.calls ?? []).map((call) => call.tool + (call.inputText ?? JSON.stringify(call.input ?? {})));
  const output = thinking + tokensOf((turn.text ?? "") + calls.join(""));
  return { input: tokensOf(request.text), cacheRead: 0, cacheWrite: 0, output, thinking, ...turn.usage };
}

/** The sum of figures, or the first that is not a number: nonsense is passed on, not repaired. */
export function sumOf(...figures: readonly ScriptedFigure[]): ScriptedFigure {
  let sum = 0;
  for (const figure of figures) {
    if (typeof figure !== "number") return figure;
    sum += figure;
  }
  return sum;
}

/** `total` minus its parts, or `total` unchanged when one of them is not a number. */
export function withoutParts(total: ScriptedFigure, ...parts: readonly ScriptedFigure[]): ScriptedFigure {
  const partsTotal = sumOf(...parts);
  return typeof total === "number" && typeof partsTotal === "number" ? total - partsTotal : total;
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}
