import { type ModelRequest, type ScriptedModel, type ScriptedTurn, scriptedModel } from "@sheepdog/agent/testing";
import { seenIn } from "./observed-run.ts";
import type { Story } from "./story.ts";

const THINKING_MS = 350;
/** What the guardian says takes longer to read. */
const READING_MS = 1_200;

/** The model of a story: it reads each request, and its mind decides on the reply. Takes its time where somebody watches. */
export function modelOf({ mind }: Pick<Story, "mind">, isPaced: boolean): ScriptedModel {
  const reply = (request: ModelRequest): ScriptedTurn => {
    const seen = seenIn(request);
    return {
      ...mind(seen),
      usage: { input: inputTokens(request) },
      delayMs: isPaced ? (seen.isJustTold ? READING_MS : THINKING_MS) : 0,
    };
  };
  return scriptedModel([], { provider: "sheepdog", modelId: "demo", deltaChars: 80, afterLast: reply });
}

/** Four characters a token, over all that is sent. */
function inputTokens({ text, tools }: ModelRequest): number {
  return Math.ceil((text.length + JSON.stringify(tools).length) / 4);
}
