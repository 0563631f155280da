import type { RunResult } from "@sheepdog/agent";
import type { Intervention } from "@sheepdog/guardian";
import type { Key, KeyName } from "../editor/key.ts";
import type { ChatAction, ChatEffect } from "./chat-action.ts";
import { type ChatState, initialChat } from "./chat-state.ts";
import { reduce } from "./reduce.ts";

/** A chat in which nothing was said, for tests. */
export const newChat: ChatState = initialChat(
  { sessionId: "ses_1", model: "anthropic:claude", maxContextTokens: 1_000, limits: {} },
  ["older", "old"],
);

/** A chat and what was done about it, after some actions. */
export interface PlayedChat {
  readonly state: ChatState;
  readonly effects: readonly ChatEffect[];
}

/** Plays actions; a string is typed, and `<name>` presses a key. Every key comes a second after the one before. */
export function playChat(state: ChatState, ...actions: readonly (ChatAction | string)[]): PlayedChat {
  let played: PlayedChat = { state, effects: [] };
  for (const action of actions.flatMap((each) => (typeof each === "string" ? keysOf(each) : [each]))) {
    const at = played.state.keyAt + 1_000;
    const { state: next, effects } = reduce(
      played.state,
      "key" in action && action.type === "key" ? { ...action, at } : action,
    );
    played = { state: next, effects: [...played.effects, ...effects] };
  }
  return played;
}

function keysOf(text: string): ChatAction[] {
  return text.split(/(<[^>]+>)/).flatMap((part): ChatAction[] => {
    if (part === "") return [];
    const name = /^<([^>]+)>$/.exec(part)?.[1];
    const key: Key = name === undefined ? { type: "text", text: part } : { type: "press", name: name as KeyName }; // names as they are in the type
    return [{ type: "key", key, at: 0 }];
  });
}

/** What came of a run. */
export function runEnded(how: Partial<RunResult> = {}): ChatAction {
  const usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, isEstimated: false };
  const result: RunResult = {
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
    ...how,
  };
  return { type: "run-ended", result, sessionNanoUsd: 5_000_000_000 };
}

export const runStarted: ChatAction = { type: "run-began", at: 0 };

/** An intervention about a tool. */
export function intervention(more: Partial<Intervention> = {}): Intervention {
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
    ...more,
  };
}
