import { type ModelRequest, type ScriptedModel, type ScriptedTurn, scriptedModel } from "@sheepdog/agent/testing";
import { observeRun } from "./observed-run.ts";
import type { Story } from "./story.ts";

const THINKING_MS = 300;
/** After a notice of the guardian, the user has more to read. */
const READING_MS = 1_000;

/** The model of a story: it reads each request and replies as the story decides. `isPaced`: it waits before replies. */
export function storyModel({ decide, opinion }: Pick<Story, "decide" | "opinion">, isPaced: boolean): ScriptedModel {
  const reply = (request: ModelRequest): ScriptedTurn => {
    const observed = observeRun(request);
    const pauseMs = observed.hasNewNotice ? READING_MS : THINKING_MS;
    return { ...decide(observed), usage: { input: inputTokens(request) }, delayMs: isPaced ? pauseMs : 0 };
  };
  return scriptedModel([], {
    provider: "sheepdog",
    modelId: "demo",
    deltaChars: 80,
    afterLast: reply,
    opinion: { text: JSON.stringify(opinion) },
  });
}

/** Estimates four characters per token. */
function inputTokens({ text, tools }: ModelRequest): number {
  return Math.ceil((text.length + JSON.stringify(tools).length) / 4);
}
