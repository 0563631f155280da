import type { AgentEvent, AgentEventBody, Message, SavedRun, Usage } from "@sheepdog/agent";
import type { Intervention } from "@sheepdog/guardian";
import type { RunSummary } from "../src/saved-runs/run-summary.ts";
import { type RunData, savedRunData } from "../src/server/views/run-data/run-data.ts";

/** Wednesday, 11 November 2026, 01:00 on this machine. */
export const oneOClock: number = new Date(2026, 10, 11, 1, 0).getTime();

export const noUsage: Usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, isEstimated: false };

/** An event and its minute after one o'clock. */
export type TimedBody = readonly [minute: number, body: AgentEventBody];

/** What differs from an ended run without a name. */
export interface RunDataOptions {
  readonly run?: Partial<SavedRun>;
  readonly summary?: Partial<Omit<RunSummary, "run">>;
}

/** The data of a run with these events. The calls that the guardian counts are those that start or are refused. */
export function runDataOf(bodies: readonly TimedBody[], { run, summary }: RunDataOptions = {}): RunData {
  const events = bodies.map(
    ([minute, body], index): AgentEvent => ({
      ...body,
      seq: index + 1,
      at: oneOClock + minute * 60_000,
      sessionId: "ses_1",
      runId: "run_1",
      severity: "info",
    }),
  );
  const saved: SavedRun = {
    runId: "run_1",
    prompt: "Add tenant_id to orders. Tests must pass.",
    startedAt: oneOClock,
    endedAt: events.at(-1)?.at ?? oneOClock,
    state: "error",
    reason: "tool_failures",
    turns: 8,
    usage: noUsage,
    costNanoUsd: 0,
    model: "scripted",
    workspace: "/work/api-server",
    ...run,
  };
  const whole: RunSummary = {
    sessionId: "ses_1",
    run: saved,
    state: saved.state,
    turns: saved.turns,
    costNanoUsd: saved.costNanoUsd,
    interventions: { count: 0, highest: undefined, questions: 0 },
    ended: {},
    limits: {},
    isLast: true,
    subagents: [],
    isDemo: false,
    ...summary,
  };
  const messages = events.flatMap((event): Message[] =>
    event.type === "ToolStart" || event.type === "ToolBlocked" ? [reply(event)] : [],
  );
  return savedRunData(whole, {
    saved: { messages, unansweredCalls: [], runs: [saved], lastSeq: events.length },
    events,
    unreadable: 0,
  });
}

function reply({ callId, tool, input, at }: Extract<AgentEvent, { type: "ToolStart" | "ToolBlocked" }>): Message {
  const fields = input as Readonly<Record<string, unknown>>; // tests give objects
  return {
    role: "assistant",
    id: `msg_${callId}`,
    at,
    parts: [{ type: "call", id: callId, tool, input: fields }],
    stop: "calls",
    model: "scripted",
    usage: noUsage,
  };
}

/** A command that fails, and what the run has spent by then, in dollars. */
export function failedCommand(index: number, minute: number, usd: number): readonly TimedBody[] {
  const call = { callId: `c${index}`, tool: "bash" };
  const error = 'error: column "tenant_id" of relation "orders" contains null values';
  return [
    [minute, { type: "TurnStarted", turn: index }],
    [minute, { type: "CostEvent", model: "scripted", costNanoUsd: 0, totalNanoUsd: Math.round(usd * 1e9) }],
    [minute, { type: "ToolStart", ...call, input: { command: "npm run migrate" } }],
    [minute, { type: "ToolEnd", ...call, status: "error", content: `apply 0042\n${error}`, ms: 66_200 }],
  ];
}

/** An intervention about the failing commands. */
export function intervention(
  level: Intervention["level"],
  count: number,
  more: Partial<Intervention> = {},
): Intervention {
  return {
    id: `e1/${level}`,
    detector: "failing-call",
    level,
    effect: level === "halt" ? "stop" : level === "block" ? "deny" : "tell",
    call: count - 1,
    evidence: more.evidence ?? Array.from({ length: count }, (_, index) => index),
    count,
    tool: "bash",
    message: `This exact call to "bash" has failed ${count} times with the same error.`,
    isApplied: true,
    ...more,
  };
}

/** The event of an intervention. */
export function intervened(
  level: Intervention["level"],
  count: number,
  more: Partial<Intervention> = {},
): AgentEventBody {
  return { type: "GuardianIntervention", intervention: intervention(level, count, more) };
}

/** A question of the guardian about an intervention. */
export function asked(about: Intervention, costUsd = 0.46): AgentEventBody {
  return {
    type: "QuestionAsked",
    question: {
      id: about.id,
      text: about.question ?? about.message,
      intervention: about,
      ifContinued: { type: "mute", episode: "e1" },
      turns: 5,
      costNanoUsd: costUsd * 1e9,
    },
  };
}

/** The night: hint, warning, a question that the user answers with "continue", 212 failures, and the end at 06:40. */
export function nightRun(options: RunDataOptions = {}): RunData {
  const question = "This exact call failed 5 times with the same error.";
  const block = intervention("block", 5, { question, costNanoUsd: 0.12e9 });
  const early = [12, 13, 15, 16, 18].flatMap((minute, index) => [
    ...failedCommand(index, minute, [0.34, 0.35, 0.37, 0.41, 0.46][index] ?? 0),
    ...(index === 2 ? ([[15, intervened("hint", 3)]] as const) : []),
    ...(index === 3 ? ([[16, intervened("warn", 4, { costNanoUsd: 0.1e9 })]] as const) : []),
  ]);
  const late = Array.from({ length: 207 }, (_, index) =>
    failedCommand(index + 5, 20 + Math.floor(index * 1.5), 0.46 + (index + 1) * 0.18),
  ).flat();
  const halt = intervened("halt", 8, { effect: "stop" });
  return runDataOf(
    [
      [0, { type: "RunStarted", prompt: "Add tenant_id to orders." }],
      ...early,
      [18, { type: "GuardianIntervention", intervention: block }],
      [18, asked(block)],
      [18, { type: "QuestionAnswered", questionId: block.id, answer: "continue" }],
      ...late,
      [340, { type: "CostEvent", model: "scripted", costNanoUsd: 0, totalNanoUsd: 38.2e9 }],
      [340, halt],
    ],
    { ...options, run: { costNanoUsd: 38.2e9, turns: 464, ...options.run } },
  );
}
