import type { ScriptedFigure, ScriptedRequest, ScriptedTurn } from "./script.ts";

/** Every figure of a request as it is sent, `missing` where the field is not sent at all. */
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

/** What a turn reports of its tokens: what the script says, and for the rest four characters a token. */
export function reportedUsage(turn: ScriptedTurn, request: ScriptedRequest): ReportedUsage {
  if (turn.usage === null || turn.usage === "missing") return turn.usage;
  const thinking = tokensOf(turn.thinking ?? "");
  const calls = (turn.calls ?? []).map((call) => call.tool + (call.inputText ?? JSON.stringify(call.input ?? {})));
  const output = thinking + tokensOf((turn.text ?? "") + calls.join(""));
  return { input: tokensOf(request.text), cacheRead: 0, cacheWrite: 0, output, thinking, ...turn.usage };
}

/** The sum of figures, or the first that is no number: nonsense is passed on, not repaired. */
export function sumOf(...figures: readonly ScriptedFigure[]): ScriptedFigure {
  let sum = 0;
  for (const figure of figures) {
    if (typeof figure !== "number") return figure;
    sum += figure;
  }
  return sum;
}

/** `whole` without its parts, or `whole` as it is where one of them is no number. */
export function withoutParts(whole: ScriptedFigure, ...parts: readonly ScriptedFigure[]): ScriptedFigure {
  const taken = sumOf(...parts);
  return typeof whole === "number" && typeof taken === "number" ? whole - taken : whole;
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}
