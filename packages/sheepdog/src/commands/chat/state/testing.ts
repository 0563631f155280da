import type { RunResult } from "@sheepdog/agent";
import type { Intervention } from "@sheepdog/guardian";
import type { Key, KeyName } from "../editor/key.ts";
import type { ChatAction, ChatEffect } from "./chat-action.ts";
import { type ChatState, initialChat } from "./chat-state.ts";
import { reduce } from "./reduce.ts";

/** A new chat with a history of two texts. */
export const newChat: ChatState = initialChat(
  { sessionId: "ses_1", model: "anthropic:claude", maxContextTokens: 1_000, limits: {} },
  ["older", "old"],
);

/** The state after some actions, and all their effects. */
export interface PlayedChat {
  readonly state: ChatState;
  readonly effects: readonly ChatEffect[];
}

/** Applies actions. A string is typed, and `<name>` in it presses a key; keys are one second apart. */
export function playChat(state: ChatState, ...actions: readonly (ChatAction | string)[]): PlayedChat {
  let played: PlayedChat = { state, effects: [] };
  for (const action of actions.flatMap((each) => (typeof each === "string" ? keyActions(each) : [each]))) {
    const at = played.state.keyAt + 1_000;
    const { state: next, effects } = reduce(
      played.state,
      "key" in action && action.type === "key" ? { ...action, at } : action,
    );
    played = { state: next, effects: [...played.effects, ...effects] };
  }
  return played;
}

function keyActions(text: string): ChatAction[] {
  return text.split(/(<[^>]+>)/).flatMap((part): ChatAction[] => {
    if (part === "") return [];
    const name = /^<([^>]+)>$/.exec(part)?.[1] as KeyName | undefined; // tests use the names of the type
    const key: Key = name === undefined ? { type: "text", text: part } : { type: "press", name };
    return [{ type: "key", key, at: 0 }];
  });
}

/** The end of a run that answered, unless `result` says otherwise. */
export function runEnded(result: Partial<RunResult> = {}): ChatAction {
  const usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, isEstimated: false };
  return {
    type: "run-ended",
    result: {
      sessionId: "ses_1",
      runId: "run_1",
      state: "completed",
      reason: "answered",
      exitCode: 0,
      text: "",
      turns: 1,
      usage,
      costNanoUsd: 0,
      interventions: [],
      ...result,
    },
    sessionNanoUsd: 5_000_000_000,
  };
}

/** The start of a run. */
export const runStarted: ChatAction = { type: "run-started", at: 0 };

/** An intervention about a tool. */
export function intervention(overrides: Partial<Intervention> = {}): Intervention {
  return {
    id: "e1/hint",
    detector: "doom-loop",
    level: "hint",
    effect: "tell",
    call: 2,
    evidence: [0, 1, 2],
    count: 3,
    tool: "bash",
    message: "The same again.",
    isApplied: true,
    ...overrides,
  };
}
