import type { RunResult, SessionSummary } from "@sheepdog/agent";
import type { Item, LiveState } from "@sheepdog/agent/timeline";
import type { Intervention, Limit, LimitName } from "@sheepdog/guardian";
import type { Card, CardAnswer } from "../cards/card.ts";
import type { CommandName } from "../commands/commands.ts";
import type { Key } from "../editor/key.ts";
import type { ChatEntry } from "./chat-entry.ts";
import type { EvidenceCall, OpenSession, UsageMeter } from "./chat-state.ts";

/** An input of the reducer. It carries the time, because the reducer does not read the clock. */
export type ChatAction =
  | { readonly type: "key"; readonly key: Key; readonly at: number }
  | { readonly type: "say"; readonly entry: ChatEntry }
  | { readonly type: "hint"; readonly text: string }
  /** A text for the line in which the user types. */
  | { readonly type: "insert"; readonly text: string }
  | { readonly type: "run-started"; readonly at: number }
  /** The cost of the session without the current run. */
  | { readonly type: "earlier-cost"; readonly nanoUsd: number }
  | { readonly type: "tick"; readonly at: number }
  /** What the run has produced since the last progress. */
  | {
      readonly type: "progress";
      readonly items: readonly Item[];
      readonly live: LiveState;
      readonly meter: Partial<UsageMeter>;
    }
  /** The user has stopped typing. */
  | { readonly type: "paused" }
  | { readonly type: "limit-changed"; readonly limit: LimitName; readonly to: Limit }
  | { readonly type: "run-ended"; readonly result: RunResult; readonly sessionNanoUsd: number }
  | { readonly type: "queued"; readonly text: string }
  | { readonly type: "card"; readonly card: Card; readonly at: number }
  /** The card needs no answer any more. */
  | { readonly type: "card-withdrawn"; readonly id: string; readonly at: number }
  | { readonly type: "sessions"; readonly all: readonly SessionSummary[] }
  | { readonly type: "evidence"; readonly intervention: Intervention; readonly calls: readonly EvidenceCall[] }
  /** Another session is open, or this session has another model. */
  | {
      readonly type: "opened";
      readonly session: OpenSession;
      readonly sessionNanoUsd: number;
      readonly contextTokens: number;
      readonly entries: readonly ChatEntry[];
    };

/** An output of the reducer, which the controller performs. */
export type ChatEffect =
  | { readonly type: "prompt"; readonly text: string }
  | { readonly type: "steer"; readonly text: string }
  | { readonly type: "stop" }
  | { readonly type: "answer"; readonly id: string; readonly answer: CardAnswer }
  | { readonly type: "command"; readonly name: CommandName; readonly argument: string }
  | { readonly type: "open"; readonly sessionId: string }
  | { readonly type: "show-evidence" }
  | { readonly type: "mute"; readonly detector?: string; readonly tool?: string }
  | { readonly type: "remember"; readonly text: string }
  | { readonly type: "leave" };
