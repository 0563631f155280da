import type { SessionSummary } from "@sheepdog/agent";
import type { CallItem, LiveState } from "@sheepdog/agent/timeline";
import type { Intervention, LimitName, Policy } from "@sheepdog/guardian";
import type { Card } from "../cards/card.ts";
import { type Editor, emptyEditor } from "../editor/editor.ts";
import type { ChatEntry } from "./chat-entry.ts";

/** The open session with its model and limits. */
export interface OpenSession {
  readonly sessionId: string;
  readonly model: string;
  readonly maxContextTokens: number;
  readonly limits: Policy["limits"];
}

/** The usage of the current run and of the session. */
export interface UsageMeter {
  /** null if a price is unknown. */
  readonly runNanoUsd: number | null;
  /** The cost of the session without the current run. */
  readonly earlierNanoUsd: number;
  readonly tokens: number;
  readonly contextTokens: number;
}

/** The current run. */
interface CurrentRun {
  readonly isStopping: boolean;
  readonly startedAt: number;
  /** The time of the last tick. */
  readonly now: number;
}

/** A call in the evidence of an intervention, as text. */
export interface EvidenceCall {
  readonly call: string;
  readonly outcome: string;
}

/** A panel in place of the prompt. */
export type Panel =
  | {
      readonly type: "sessions";
      readonly all: readonly SessionSummary[];
      readonly query: Editor;
      /** The index of the selected session. */
      readonly selected: number;
    }
  | {
      readonly type: "evidence";
      readonly intervention: Intervention;
      readonly calls: readonly EvidenceCall[];
      /** The index of the first visible call. */
      readonly top: number;
    };

/** The newest call, which is not printed yet, and how often it occurred in a row. */
export interface HeldItem {
  readonly item: CallItem;
  readonly times: number;
}

/** Everything that the screen is drawn from. */
export interface ChatState {
  readonly session: OpenSession;
  /** Entries are only added, never removed. */
  readonly entries: readonly ChatEntry[];
  /** The newest call of the run, as long as the next one may repeat it. */
  readonly held?: HeldItem;
  readonly live: LiveState;
  /** Set while a run is running. */
  readonly run?: CurrentRun;
  readonly meter: UsageMeter;
  /** The interventions that this chat has shown for the session, oldest first. */
  readonly interventions: readonly Intervention[];
  /** The run has recovered from the newest intervention. */
  readonly isRecovered: boolean;
  readonly editor: Editor;
  /** Long pasted texts; the editor contains a sign for each. */
  readonly pastes: readonly string[];
  /** Sent texts, oldest first. */
  readonly history: readonly string[];
  /** Set while the editor shows a text of the history: its index, and the unsent text before. */
  readonly recalled?: { readonly index: number; readonly unsent: string };
  /** Prompts for after the current run. */
  readonly queue: readonly string[];
  /** A run was stopped or failed: the queue waits for the user. */
  readonly isQueueHeld: boolean;
  readonly cards: readonly Card[];
  /** The text typed into the first card; undefined while a single key answers the card. */
  readonly reply?: Editor;
  /** The id of the card whose rule is shown for confirmation. */
  readonly ruleShownOn?: string;
  /** The first card takes keys. False while the user may still be typing at the prompt. */
  readonly isCardReady: boolean;
  readonly panel?: Panel;
  /** Milliseconds. The time of the last key. */
  readonly keyAt: number;
  /** One line about what a key does or has done. */
  readonly hint?: string;
  /** The last key was Ctrl-C; the next Ctrl-C leaves. */
  readonly isLeaveRequested: boolean;
}

export const emptyMeter: UsageMeter = { runNanoUsd: 0, earlierNanoUsd: 0, tokens: 0, contextTokens: 0 };
export const nothingLive: LiveState = { turn: 0, text: "", thinking: "", calls: [] };

/** A new chat without entries. */
export function initialChat(session: OpenSession, history: readonly string[] = []): ChatState {
  return {
    session,
    entries: [],
    live: nothingLive,
    meter: emptyMeter,
    interventions: [],
    isRecovered: false,
    editor: emptyEditor,
    pastes: [],
    history,
    queue: [],
    isQueueHeld: false,
    cards: [],
    isCardReady: false,
    keyAt: 0,
    isLeaveRequested: false,
  };
}

/** The session with one limit changed. */
export function withLimit(
  session: OpenSession,
  name: LimitName,
  limit: NonNullable<Policy["limits"][LimitName]>,
): OpenSession {
  return { ...session, limits: { ...session.limits, [name]: limit } };
}
