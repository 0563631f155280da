import type { RunResult, SessionSummary } from "@sheepdog/agent";
import type { Intervention, Limit, LimitName } from "@sheepdog/guardian";
import type { Item } from "../../../render/timeline/item.ts";
import type { LiveState } from "../../../render/timeline/live-items.ts";
import type { CardAnswer, Card } from "../cards/card.ts";
import type { CommandName } from "../commands/commands.ts";
import type { Key } from "../editor/key.ts";
import type { EvidenceCall, UsageMeter, OpenSession } from "./chat-state.ts";
import type { ChatEntry } from "./chat-entry.ts";

/** What happens to a chat. Times arrive with it. */
export type ChatAction =
  | { readonly type: "key"; readonly key: Key; readonly at: number }
  | { readonly type: "say"; readonly entry: ChatEntry }
  | { readonly type: "hint"; readonly text: string }
  | { readonly type: "run-began"; readonly at: number }
  /** What the session has cost without the run that goes on. */
  | { readonly type: "spent-before"; readonly nanoUsd: number }
  /** Time has passed. */
  | { readonly type: "tick"; readonly at: number }
  /** What has come since the last time. */
  | { readonly type: "progress"; readonly items: readonly Item[]; readonly live: LiveState; readonly meter: Partial<UsageMeter> }
  /** Nobody is in the middle of typing. */
  | { readonly type: "paused" }
  | { readonly type: "limit-changed"; readonly limit: LimitName; readonly to: Limit }
  | { readonly type: "run-ended"; readonly result: RunResult; readonly sessionNanoUsd: number }
  | { readonly type: "queued"; readonly text: string }
  | { readonly type: "card"; readonly card: Card; readonly at: number }
  /** Answered, or nobody waits for an answer any more. */
  | { readonly type: "card-gone"; readonly id: string; readonly at: number }
  | { readonly type: "sessions"; readonly all: readonly SessionSummary[] }
  | { readonly type: "evidence"; readonly intervention: Intervention; readonly calls: readonly EvidenceCall[] }
  /** Another session, or another model for this one. */
  | {
      readonly type: "opened";
      readonly session: OpenSession;
      readonly sessionNanoUsd: number;
      readonly contextTokens: number;
      readonly entries: readonly ChatEntry[];
    };

/** What is to be done about it, by the controller. */
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
