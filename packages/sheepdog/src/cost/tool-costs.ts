import type { AgentEvent, CostSum, Stores } from "@sheepdog/agent";

/** What was spent by way of a tool. */
export interface ToolCost {
  readonly key: string;
  /** Requests that asked for it, some of them for others as well. */
  readonly requests: number;
  readonly costNanoUsd: number;
  readonly unpricedTokens: number;
}

/** Replies that called nothing. */
const answer = "(answer)";
/** Sessions that were removed, or whose events are not kept. */
const unkept = "(not kept)";

/**
 * What was spent by tool: what a turn cost, split evenly over the calls its reply made. The books say what was spent; the events, which turn it was. What the
 * events do not tell of is told as not kept, so that the sum is that of the books.
 */
export async function toolCosts(stores: Stores, since: number | undefined): Promise<readonly ToolCost[]> {
  const costs = createCosts();
  const booked = await stores.costs.sums("session", since === undefined ? {} : { since });
  const payers = new Map((await stores.sessions.list()).map(({ sessionId, lastRun }) => [sessionId, lastRun?.bookedTo ?? sessionId]));
  const sums = new Map(booked.map((sum) => [sum.key, sum]));
  const told = new Map<string, number>();
  for (const [sessionId, payer] of payers) {
    if (!sums.has(payer)) continue;
    for (const turn of turnsOf(await stores.events.after(sessionId, 0), since)) {
      told.set(payer, (told.get(payer) ?? 0) + turn.costNanoUsd);
      const tools = turn.tools.length === 0 ? [answer] : turn.tools;
      for (const tool of tools)
        costs.add(tool, { requests: 0, costNanoUsd: turn.costNanoUsd / tools.length, unpricedTokens: turn.unpricedTokens / tools.length });
      for (const tool of new Set(tools)) costs.add(tool, { requests: turn.requests, costNanoUsd: 0, unpricedTokens: 0 });
    }
  }
  for (const sum of booked) {
    const before = told.get(sum.key);
    if (before === undefined) costs.add(unkept, sum);
    else if (sum.costNanoUsd > before) costs.add(unkept, { requests: 0, costNanoUsd: sum.costNanoUsd - before, unpricedTokens: 0 });
  }
  return costs.all();
}

interface Turn {
  readonly tools: string[];
  requests: number;
  costNanoUsd: number;
  unpricedTokens: number;
}

/** The turns of a session that cost something since then. */
function turnsOf(events: readonly AgentEvent[], since = Number.NEGATIVE_INFINITY): readonly Turn[] {
  const turns: Turn[] = [];
  let turn: Turn = emptyTurn();
  let usedTokens = 0;
  for (const event of events) {
    if (event.type === "TurnStarted") {
      turn = emptyTurn();
      turns.push(turn);
    }
    if (event.type === "UsageUpdate") usedTokens = event.usage.input + event.usage.output;
    if (event.type === "CostEvent" && event.at >= since) {
      turn.requests += 1;
      turn.costNanoUsd += event.costNanoUsd ?? 0;
      if (event.costNanoUsd === null) turn.unpricedTokens += usedTokens;
    }
    if (event.type === "ToolStart" || event.type === "ToolBlocked") turn.tools.push(event.tool);
  }
  return turns.filter(({ requests }) => requests > 0);
}

function emptyTurn(): Turn {
  return { tools: [], requests: 0, costNanoUsd: 0, unpricedTokens: 0 };
}

type Amounts = Pick<CostSum, "requests" | "costNanoUsd" | "unpricedTokens">;

function createCosts(): { add(key: string, more: Amounts): void; all(): readonly ToolCost[] } {
  const costs = new Map<string, ToolCost>();
  return {
    add(key, more) {
      const before = costs.get(key) ?? { key, requests: 0, costNanoUsd: 0, unpricedTokens: 0 };
      costs.set(key, {
        key,
        requests: before.requests + more.requests,
        costNanoUsd: before.costNanoUsd + more.costNanoUsd,
        unpricedTokens: before.unpricedTokens + more.unpricedTokens,
      });
    },
    all: () => [...costs.values()].map((cost) => ({ ...cost, costNanoUsd: Math.round(cost.costNanoUsd), unpricedTokens: Math.round(cost.unpricedTokens) })),
  };
}
