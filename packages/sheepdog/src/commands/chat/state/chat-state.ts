import type { SessionSummary } from "@sheepdog/agent";
import type { Intervention, LimitName, Policy } from "@sheepdog/guardian";
import type { LiveState } from "../../../render/timeline/live-items.ts";
import type { Card } from "../cards/card.ts";
import { type Editor, emptyEditor } from "../editor/editor.ts";
import type { ChatEntry } from "./chat-entry.ts";

/** The session that is open, and what works on it. */
export interface OpenSession {
  readonly sessionId: string;
  readonly model: string;
  readonly maxContextTokens: number;
  readonly limits: Policy["limits"];
}

/** What was used; null where a price is unknown. */
export interface UsageMeter {
  readonly runNanoUsd: number | null;
  /** Without the run that goes on. */
  readonly earlierNanoUsd: number;
  readonly tokens: number;
  readonly contextTokens: number;
}

/** A run that goes on. */
interface RunView {
  readonly isStopping: boolean;
  readonly startedAt: number;
  /** The newest time that is known. */
  readonly now: number;
}

/** A call that shows what the guardian saw. */
export interface EvidenceCall {
  readonly call: string;
  readonly outcome: string;
}

/** What is open over the prompt. */
export type Panel =
  | { readonly type: "sessions"; readonly all: readonly SessionSummary[]; readonly query: Editor; readonly at: number }
  | {
      readonly type: "evidence";
      readonly intervention: Intervention;
      readonly calls: readonly EvidenceCall[];
      readonly top: number;
    };

/** Everything the screen is drawn from. */
export interface ChatState {
  readonly session: OpenSession;
  /** Only ever grows. */
  readonly entries: readonly ChatEntry[];
  readonly live: LiveState;
  /** While a run goes on. */
  readonly run?: RunView;
  readonly meter: UsageMeter;
  /** Of this session, as long as the chat has seen them; the newest last. */
  readonly interventions: readonly Intervention[];
  /** The newest one's episode is over. */
  readonly isRecovered: boolean;
  readonly editor: Editor;
  /** What was sent before, the newest last. */
  readonly history: readonly string[];
  /** Which of it is shown, and what was being written before. */
  readonly recalled?: { readonly at: number; readonly draft: string };
  /** Prompts for after this run. */
  readonly queue: readonly string[];
  /** A run was stopped or went wrong: the queue waits for a person. */
  readonly isQueueHeld: boolean;
  readonly cards: readonly Card[];
  /** What is typed into the first card; undefined while a key answers it. */
  readonly reply?: Editor;
  /** The first card takes keys: nobody was in the middle of typing when it came. */
  readonly isCardReady: boolean;
  readonly panel?: Panel;
  /** Milliseconds; when a key was pressed last. */
  readonly keyAt: number;
  /** One line about what a key will do or has done. */
  readonly hint?: string;
  /** Ctrl-C was pressed once. */
  readonly isLeaveAsked: boolean;
}

export const emptyMeter: UsageMeter = { runNanoUsd: 0, earlierNanoUsd: 0, tokens: 0, contextTokens: 0 };
export const nothingLive: LiveState = { turn: 0, text: "", thinking: "", calls: [] };

/** A chat in which nothing was said. */
export function initialChat(place: OpenSession, history: readonly string[] = []): ChatState {
  return {
    session,
    entries: [],
    live: nothingLive,
    meter: emptyMeter,
    interventions: [],
    isRecovered: false,
    editor: emptyEditor,
    history,
    queue: [],
    isQueueHeld: false,
    cards: [],
    isCardReady: false,
    keyAt: 0,
    isLeaveAsked: false,
  };
}

/** A limit as it holds now. */
export function withLimit(place: OpenSession, name: LimitName, limit: NonNullable<Policy["limits"][LimitName]>): OpenSession {
  return { ...place, limits: { ...place.limits, [name]: limit } };
}
