import { bounds, shorten } from "./bounds.ts";
import type { GuardianState } from "./guardian-state.ts";
import { noSubagents } from "./subagents.ts";

/** The state of a session before its first signal. */
export function initialState(digest: string): GuardianState {
  return {
    version: 1,
    digest: shorten(digest, bounds.id),
    attended: false,
    turn: 0,
    callCount: 0,
    personTurn: 0,
    scheduledPrompts: 0,
    compactions: 0,
    epoch: 0,
    tools: {},
    history: [],
    traces: [],
    unanswered: [],
    refusedCalls: [],
    findings: [],
    episodes: [],
    issuedIds: 0,
    mutes: [],
    pending: [],
    brokenDetectors: [],
    limits: {},
    userLimits: {},
    isPriced: true,
    run: undefined,
    runTurns: 0,
    clock: { at: 0, elapsedMs: 0, idleMs: 0, replyMs: 0, stalledMs: 0, workMs: 0 },
    textReplies: [],
    isNudged: false,
    refusedAnswers: [],
    streams: {},
    chant: undefined,
    chantCount: 0,
    compactionStreak: { count: 0, turn: 0, events: 0 },
    subagents: [],
    subagentTotals: noSubagents,
    stopped: undefined,
  };
}
