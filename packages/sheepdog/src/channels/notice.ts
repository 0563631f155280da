import type { LimitName } from "@sheepdog/guardian";
import type { NoticeKind } from "../config/channel-keys.ts";

/** The run that a notice is about. */
export interface NoticeRun {
  readonly runId: string;
  readonly sessionId: string;
  /** What the run was asked to do, in a few words. */
  readonly task: string;
  /** The name of its folder. */
  readonly project: string;
}

/** What people can answer to a notice. */
export type Topic =
  /** Whether a call may be executed. */
  | { readonly type: "approval"; readonly callId: string }
  /** How the run continues. */
  | { readonly type: "question"; readonly questionId: string }
  /** A question of the agent. */
  | { readonly type: "reply"; readonly callId: string; readonly choices: readonly string[] }
  /** The run itself. `limit`: one that people may raise, with the amount that a button adds. */
  | { readonly type: "run"; readonly limit?: { readonly name: LimitName; readonly more: number } };

/** What people are told about a run. Secrets are masked in all its texts. */
export interface Notice {
  /** Unique. */
  readonly id: string;
  readonly kind: NoticeKind;
  readonly at: number;
  readonly run: NoticeRun;
  /** What happened, in one sentence. */
  readonly sentence: string;
  /** The command or the call that it is about. */
  readonly code?: string;
  /** Further sentences, oldest first. */
  readonly details: readonly string[];
  /** The cost of the run so far; null if a price is unknown. Absent: not known here. */
  readonly costNanoUsd?: number | null;
  /** It is about no run: the user tries the channel. */
  readonly isTest?: true;
  /** The command that continues the run, or that shows it. */
  readonly command?: string;
  /** Absent: there is nothing left to answer. */
  readonly topic?: Topic;
  /** When an answer comes too late, in milliseconds since 1970. */
  readonly answerBy?: number;
}

/** Whether the run waits for the answer to a notice. */
export function isWaiting({ topic }: Pick<Notice, "topic">): boolean {
  return topic !== undefined && topic.type !== "run";
}

/** The question of a notice, to recognize its end. */
export function questionKey(topic: Topic | undefined): string | undefined {
  if (topic === undefined || topic.type === "run") return undefined;
  return topic.type === "question" ? `question ${topic.questionId}` : `call ${topic.callId}`;
}
