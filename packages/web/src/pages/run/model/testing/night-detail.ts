import type { InterventionView, RunDetail, WireEvent } from "../../../../contract/index.ts";

/** An intervention of the night, with what is not said left at its default. */
export function nightStep(
  view: Partial<InterventionView> & Pick<InterventionView, "id" | "level" | "detector">,
): InterventionView {
  const message = view.message ?? `This exact call to "bash" has failed ${view.count ?? 1} times with the same error.`;
  const isApplied = view.isApplied ?? true;
  const id = view.id;
  return {
    episode: id.split("/")[0] ?? id,
    seq: 0,
    at: 0,
    turn: 44,
    isLimit: false,
    effect: "tell",
    isApplied,
    fact: [
      { text: "The same command failed " },
      { strong: `${view.count ?? 1} times` },
      { text: " with the same error, and nothing else changed in between." },
    ],
    times: view.count ?? 1,
    count: 1,
    tool: "bash",
    message,
    notice: isApplied ? `<sheepdog-notice id="${id}">${message}</sheepdog-notice>` : null,
    runUsd: 0,
    loopUsd: 0,
    callIds: [],
    followed: null,
    nextCallId: null,
    isRecovered: false,
    opinion: null,
    question: null,
    answer: null,
    isRight: null,
    ...view,
  };
}

/** The head of the night. */
export function nightDetail(
  events: readonly WireEvent[],
  interventions: readonly InterventionView[],
  loopUsd: number,
): RunDetail {
  const rungs = { hint: 3, warn: 4, block: 5, halt: 8 };
  return {
    run: {
      ...{ id: "run_4c1fe20b", kind: "run", source: "Sheepdog", sessionId: "ses_7f3a91c2", state: "error" },
      sentence: [{ text: "The same migration failed 212 times; the guardian ended the run at 06:40" }],
      doing: null,
      prompt: "Add tenant_id to orders.",
      task: "Add tenant_id to orders",
      ...{ reason: "tool_failures", isLive: false, isDemo: false, waitsFor: null, project: "api-server" },
      ...{ workspace: "/home/me/api-server", model: "claude-sonnet-4-5" },
      startedAt: events[0]?.at ?? 0,
      endedAt: events.at(-1)?.at ?? null,
      ...{ turns: 464, costUsd: 38.2, limitUsd: 40, loopUsd, goal: "not met", spark: null },
      guardian: { level: "halt", text: "halt", isRecovered: false, isApplied: true },
      ...{ resumeCommand: "sheepdog run --resume ses_7f3a91c2 --max-cost 80", resumeProblem: null, canFork: true },
    },
    lede: [
      { text: "It was warned at 01:16, when it had cost " },
      { strong: "$0.41" },
      { text: ". You let it continue at 01:18. The other " },
      { strong: "$37.79" },
      { text: " bought nothing." },
    ],
    ...{ text: null, problem: null, branch: "main", maxContextTokens: 200_000 },
    policy: { preset: "default", mode: "guide", isAttended: true },
    goal: { text: "`npm run migrate` exits 0", state: "not met" },
    interventions: [...interventions],
    rungs: { "failing-call": rungs },
    ...{ plans: [], subagents: [], otherRuns: [], accepts: ["resume", "fork"] },
  };
}
