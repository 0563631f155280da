import type { LanguageModelV3FinishReason, LanguageModelV3StreamPart, LanguageModelV3Usage } from "@ai-sdk/provider";
import type { ContentStep } from "./reply-steps.ts";
import { type ReportedUsage, withoutParts } from "./reported-usage.ts";
import type { ScriptedFigure, ScriptedStop } from "./script.ts";

const unified = { end: "stop", calls: "tool-calls", length: "length", refused: "content-filter" } as const;

/** The finish part of a reply. */
export function finishPart(step: Extract<ContentStep, { readonly type: "finish" }>): LanguageModelV3StreamPart {
  return { type: "finish", finishReason: finishReason(step.stop), usage: usageOf(step.usage) };
}

function finishReason(stop: ScriptedStop): LanguageModelV3FinishReason {
  if (typeof stop === "string") return { unified: unified[stop], raw: stop };
  return { unified: "other", raw: stop.raw ?? undefined };
}

function usageOf(usage: ReportedUsage): LanguageModelV3Usage {
  if (usage === null || usage === "missing") {
    return {
      inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: undefined, text: undefined, reasoning: undefined },
    };
  }
  return {
    inputTokens: {
      total: figure(usage.input),
      noCache: figure(withoutParts(usage.input, usage.cacheRead, usage.cacheWrite)),
      cacheRead: figure(usage.cacheRead),
      cacheWrite: figure(usage.cacheWrite),
    },
    outputTokens: {
      total: figure(usage.output),
      text: figure(withoutParts(usage.output, usage.thinking)),
      reasoning: figure(usage.thinking),
    },
  };
}

/** Passes nonsense of the script on as a number: readers must not trust the figures of a provider. */
function figure(value: ScriptedFigure): number {
  return value as number; // wrong on purpose when the script says so
}
