import type { RunRow, Sentence } from "../../contract/index.ts";

/** A run for tests: completed, without anything special. */
export function runRow(fields: Partial<RunRow> & { readonly id: string }): RunRow {
  return {
    kind: "run",
    source: "Sheepdog",
    sessionId: `ses_${fields.id}`,
    sentence: [{ text: "Answered: why is login slow after a cold start?" }] satisfies Sentence,
    doing: null,
    prompt: "Why is login slow after a cold start?",
    task: "Why is login slow after a cold start?",
    state: "completed",
    reason: "answered",
    isLive: false,
    isDemo: false,
    waitsFor: null,
    project: "api-server",
    workspace: "/home/ada/api-server",
    model: "claude-sonnet-4-5",
    startedAt: 0,
    endedAt: 240_000,
    turns: 11,
    costUsd: 0.19,
    limitUsd: 5,
    loopUsd: 0,
    guardian: null,
    goal: null,
    spark: null,
    resumeCommand: `sheepdog resume ${fields.id}`,
    resumeProblem: null,
    canFork: true,
    ...fields,
  };
}
