import type { AgentEvent, GraphNode, NodeStatus, PlanEdge, Reason } from "@sheepdog/agent";
import { stagesOf } from "@sheepdog/agent/timeline";

/** How far a node is. */
export type NodeState = NodeStatus | "running" | "not_started";

/** A plan of a director, and what became of it. */
export interface PlanGraph {
  /** 0 for the first plan, then the number of the evolution. */
  readonly cycle: number;
  /** By stage, and as planned within a stage. */
  readonly nodes: readonly PlanGraphNode[];
  readonly edges: readonly PlanEdge[];
  /** Why the plan failed. The next plan is based on it. */
  readonly diagnosis?: string;
}

/** A node of a plan, and what became of it. */
export interface PlanGraphNode extends GraphNode, NodeRecord {
  /** From 1. Nodes of one stage do not depend on each other. */
  readonly stage: number;
  /** It succeeded under an earlier plan, and was not executed again. */
  readonly isKept: boolean;
}

interface NodeRecord {
  readonly state: NodeState;
  /** The session of its run; absent if it had none. */
  readonly sessionId?: string;
  readonly reason?: Reason;
  readonly problem?: string;
  /** Including its subagents; null if a price is unknown, absent if it had no run. */
  readonly costNanoUsd?: number | null;
  readonly startedAt?: number;
  readonly endedAt?: number;
}

/** The saved run of a node. */
export interface NodeRun {
  readonly startedAt: number;
  readonly endedAt?: number | undefined;
  readonly costNanoUsd: number | null;
}

/** What the events of a director do not say. */
export interface PlanContext {
  /** The runs of nodes, by session. After a crash, their times are known from here only. */
  readonly runs: ReadonlyMap<string, NodeRun>;
  /** Whether a process runs the director. */
  readonly isLive: boolean;
}

/** The plans of a director from the events of its run, oldest first. Empty for a run without a plan. */
export function planGraphs(events: readonly AgentEvent[], { runs, isLive }: PlanContext): readonly PlanGraph[] {
  const drafts: Draft[] = [];
  for (const event of events) addEvent(drafts, event);
  return drafts.map((draft, index) => finished(draft, { runs, isLive: isLive && index === drafts.length - 1 }));
}

/** A plan while its events are read. */
interface Draft {
  readonly plan: Extract<AgentEvent, { type: "GraphGenerated" }>;
  readonly records: Map<string, NodeRecord>;
  diagnosis?: string;
}

function addEvent(drafts: Draft[], event: AgentEvent): void {
  const last = drafts.at(-1);
  switch (event.type) {
    case "GraphGenerated":
      if (event.isResumed && last?.plan.cycle === event.cycle) forgetUnfinished(last);
      else drafts.push({ plan: event, records: keptRecords(drafts, event.kept) });
      return;
    case "NodeStarted":
      last?.records.set(event.nodeId, { state: "running", sessionId: event.childId, startedAt: event.at });
      return;
    case "NodeComplete":
      last?.records.set(event.nodeId, endedRecord(last.records.get(event.nodeId), event));
      return;
    case "EvolutionTriggered":
      if (last !== undefined) last.diagnosis = event.diagnosis;
      return;
    default:
      return;
  }
}

/** After a crash, a node without an end is started again. */
function forgetUnfinished({ records }: Draft): void {
  for (const [id, { state }] of records) if (state === "running") records.delete(id);
}

function keptRecords(drafts: readonly Draft[], kept: readonly string[]): Map<string, NodeRecord> {
  return new Map(
    kept.map((id) => {
      const earlier = drafts.findLast(({ records }) => records.get(id)?.state === "succeeded")?.records.get(id);
      return [id, earlier ?? { state: "succeeded" }];
    }),
  );
}

function endedRecord(record: NodeRecord | undefined, event: Extract<AgentEvent, { type: "NodeComplete" }>): NodeRecord {
  const { status, childId, reason, costNanoUsd, problem, at } = event;
  const endedAt = event.isEarlier ? record?.endedAt : at;
  return {
    ...record,
    state: status,
    ...(childId === undefined ? {} : { sessionId: childId }),
    ...(reason === undefined ? {} : { reason }),
    ...(problem === undefined ? {} : { problem }),
    ...(costNanoUsd === undefined ? {} : { costNanoUsd }),
    ...(endedAt === undefined ? {} : { endedAt }),
  };
}

function finished({ plan, records, diagnosis }: Draft, context: PlanContext): PlanGraph {
  const stages = stagesOf(plan.nodes, plan.edges);
  const nodes = plan.nodes.map((node): PlanGraphNode => {
    const record = records.get(node.id) ?? { state: "not_started" };
    return {
      ...node,
      stage: stages.get(node.id) ?? 1,
      isKept: plan.kept.includes(node.id),
      ...withRun(record, context),
    };
  });
  return {
    cycle: plan.cycle,
    nodes: nodes.toSorted((one, other) => one.stage - other.stage),
    edges: plan.edges,
    ...(diagnosis === undefined ? {} : { diagnosis }),
  };
}

/** Adds the times of the saved run, which are exact. Until the node has ended, its cost is that of the run so far. */
function withRun(record: NodeRecord, { runs, isLive }: PlanContext): NodeRecord {
  const state = record.state === "running" && !isLive ? "interrupted" : record.state;
  const run = record.sessionId === undefined ? undefined : runs.get(record.sessionId);
  if (run === undefined) return { ...record, state };
  const { startedAt, endedAt, costNanoUsd } = run;
  return { costNanoUsd, ...record, state, startedAt, ...(endedAt === undefined ? {} : { endedAt }) };
}
