import type {
  AgentEvent,
  AgentEventBody,
  CostRow,
  GraphNode,
  RunResult,
  SavedRun,
  Stores,
  Usage,
} from "@sheepdog/agent";

/** A node as events show it. */
export function graphNode(id: string, title = `Do ${id}.`): GraphNode {
  return { id, title, inputs: [], outputs: [id] };
}

const edge = (from: string, to: string) => ({ from, to });
const failure = { status: "failed", reason: "max_turns", problem: "The tests do not pass: 3 of 40 fail." } as const;

/** Seven nodes: three in parallel, one that fails, and one behind a condition. */
export const firstPlan: Extract<AgentEventBody, { type: "GraphGenerated" }> = {
  type: "GraphGenerated",
  cycle: 0,
  nodes: [
    graphNode("fetch", "Fetch the issue and the files that it names."),
    graphNode("parser", "Write the parser."),
    graphNode("printer", "Write the printer."),
    graphNode("docs", "Write the page about the format."),
    graphNode("test", "Run the tests and repair what fails."),
    graphNode("rollback", "Undo the changes."),
    graphNode("publish", "Publish the package."),
  ],
  edges: [
    edge("fetch", "parser"),
    edge("fetch", "printer"),
    edge("fetch", "docs"),
    edge("parser", "test"),
    edge("printer", "test"),
    { ...edge("test", "rollback"), when: "failure" },
    { ...edge("test", "publish"), when: { output: "verdict", equals: "ok" } },
    { ...edge("docs", "publish"), when: "always" },
  ],
  kept: [],
};

/** The plan after the tests failed: the test is split, everything before it is kept. */
export const secondPlan: Extract<AgentEventBody, { type: "GraphGenerated" }> = {
  ...firstPlan,
  cycle: 1,
  nodes: [
    ...firstPlan.nodes.slice(0, 4),
    graphNode("test-parser", "Repair the parser until its tests pass."),
    graphNode("test-printer", "Repair the printer until its tests pass."),
    ...firstPlan.nodes.slice(6),
  ],
  edges: [
    ...firstPlan.edges.slice(0, 3),
    edge("parser", "test-parser"),
    edge("printer", "test-printer"),
    { ...edge("test-parser", "publish"), when: { output: "verdict", equals: "ok" } },
    { ...edge("test-printer", "publish"), when: { output: "verdict", notEquals: "broken" } },
    { ...edge("docs", "publish"), when: "always" },
  ],
  kept: ["fetch", "parser", "printer", "docs"],
};

/** The session of a node of these plans. */
export function childIdOf(nodeId: string): string {
  return `ses_${Buffer.from(nodeId).toString("hex").padEnd(20, "0").slice(0, 20)}`;
}

function start(nodeId: string): AgentEventBody {
  return { type: "NodeStarted", nodeId, childId: childIdOf(nodeId) };
}
function succeed(nodeId: string, costNanoUsd = 1e8): AgentEventBody {
  return { type: "NodeComplete", nodeId, status: "succeeded", childId: childIdOf(nodeId), costNanoUsd };
}

/** The events of a director whose first plan fails and whose second plan is being executed. */
export const directorEvents: readonly AgentEventBody[] = [
  { type: "GraphRejected", problems: ["The edge from build to tests names an unknown node: tests."] },
  firstPlan,
  start("fetch"),
  succeed("fetch"),
  start("parser"),
  start("printer"),
  start("docs"),
  succeed("printer"),
  succeed("parser", 2e8),
  succeed("docs"),
  start("test"),
  { type: "NodeComplete", nodeId: "test", childId: childIdOf("test"), costNanoUsd: 4e8, ...failure },
  { type: "NodeComplete", nodeId: "publish", status: "blocked", problem: "The node test failed." },
  {
    type: "EvolutionTriggered",
    cycle: 1,
    maxCycles: 3,
    diagnosis: "One run repaired two parts at once and ran out of turns; each part needs a run of its own.",
    failed: ["test"],
  },
  secondPlan,
  start("test-parser"),
  start("test-printer"),
  succeed("test-parser"),
];

const usage: Usage = { input: 900, cacheRead: 0, cacheWrite: 0, output: 100, isEstimated: false };
const holder = { id: "test-director", pid: process.pid, host: "elsewhere" };

/** What is saved of a director's run. */
export interface DirectorRunData {
  readonly sessionId: string;
  readonly bodies: readonly AgentEventBody[];
  /** Milliseconds since 1970; each event is one second later than the one before it. */
  readonly startedAt: number;
  /** Costs of the director's own requests, in nano-dollars. */
  readonly own: readonly { readonly purpose?: "plan" | "judge"; readonly costNanoUsd: number }[];
  /** Absent: the run is running. */
  readonly end?: { readonly state: SavedRun["state"]; readonly reason: NonNullable<SavedRun["reason"]> };
}

/** Saves a director's run and the runs of its nodes, as a runtime does. Returns the id of the run. */
export async function saveDirectorRun(stores: Stores, data: DirectorRunData): Promise<string> {
  const { sessionId, bodies, startedAt, own, end } = data;
  const runId = `run_${sessionId.slice(4)}`;
  const ownCost = own.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0);
  const nodesCost = bodies.reduce((sum, body) => sum + (body.type === "NodeComplete" ? (body.costNanoUsd ?? 0) : 0), 0);
  const costs = { costNanoUsd: ownCost, costWithSubagentsNanoUsd: ownCost + nodesCost };
  const ended = end === undefined ? [] : [runComplete({ sessionId, runId, ...end, ...costs })];
  const events = [{ type: "RunStarted", prompt: "Add the format." } as const, ...bodies, ...ended].map(
    (body, index): AgentEvent => ({
      ...body,
      seq: index + 1,
      at: startedAt + index * 1_000,
      sessionId,
      runId,
      severity: "info",
    }),
  );
  const last = startedAt + events.length * 1_000;
  const claim = await stores.sessions.claim(sessionId, holder, Date.now());
  if (!claim.ok) throw new Error("Expected a new session.");
  const run: SavedRun = {
    ...savedRun(runId, "Add the format.", startedAt),
    ...(end === undefined ? {} : { ...end, endedAt: last }),
    costNanoUsd: ownCost,
  };
  const costRows = own.map(
    ({ purpose, costNanoUsd }, index): CostRow => ({
      ...costRow(sessionId, runId, startedAt + 1),
      id: `own_${index}`,
      costNanoUsd,
      ...(purpose === undefined ? {} : { purpose }),
    }),
  );
  await stores.sessions.commit(claim.lease, { at: last, run, events, costs: costRows });
  for (const event of events) if (event.type === "NodeStarted") await saveNode(stores, event, events);
  if (end !== undefined) await stores.sessions.release(claim.lease);
  return runId;
}

async function saveNode(
  stores: Stores,
  { sessionId, nodeId, childId, at }: Extract<AgentEvent, { type: "NodeStarted" }>,
  events: readonly AgentEvent[],
): Promise<void> {
  const claim = await stores.sessions.claim(childId, holder, Date.now());
  if (!claim.ok) throw new Error("Expected a new session.");
  const end = events.find(
    (event): event is Extract<AgentEvent, { type: "NodeComplete" }> =>
      event.type === "NodeComplete" && event.childId === childId,
  );
  const runId = `run_${childId.slice(4)}`;
  const costNanoUsd = end?.costNanoUsd ?? 0;
  const run: SavedRun = {
    ...savedRun(runId, `Do ${nodeId}.`, at),
    billingSessionId: sessionId,
    costNanoUsd,
    ...(end === undefined
      ? {}
      : { endedAt: end.at, state: end.status === "failed" ? ("max_steps" as const) : ("completed" as const) }),
  };
  const rows: CostRow[] = [
    { ...costRow(sessionId, runId, at + 1), id: `${childId}_1`, costNanoUsd: costNanoUsd * 0.75 },
    { ...costRow(sessionId, runId, at + 2), id: `${childId}_2`, costNanoUsd: costNanoUsd * 0.25, purpose: "judge" },
  ];
  const started: AgentEvent = {
    ...{ type: "RunStarted", prompt: `Do ${nodeId}.`, severity: "info" },
    ...{ seq: 1, at, sessionId: childId, runId },
  };
  const costs = costNanoUsd === 0 ? [] : rows;
  await stores.sessions.commit(claim.lease, { at, run, events: [started], costs });
  await stores.sessions.release(claim.lease);
}

function runComplete(
  result: Pick<RunResult, "sessionId" | "runId" | "state" | "reason" | "costNanoUsd" | "costWithSubagentsNanoUsd">,
): AgentEventBody {
  return { type: "RunComplete", result: { ...result, exitCode: 1, text: "", turns: 2, usage, interventions: [] } };
}

function savedRun(runId: string, prompt: string, startedAt: number): SavedRun {
  return { runId, prompt, startedAt, state: "running", turns: 2, usage, costNanoUsd: 0, model: "scripted" };
}

function costRow(sessionId: string, runId: string, at: number): Omit<CostRow, "id" | "costNanoUsd"> {
  return { sessionId, runId, model: "scripted", at, usage };
}
