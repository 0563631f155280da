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
 * events do not tell of is told as not kept, and what they tell of beyond the books was never charged: so the sum is that of the books.
 */
export async function toolCosts(stores: Stores, since: number | undefined): Promise<readonly ToolCost[]> {
  const costs = createCosts();
  const turns = new Map<string, Turn[]>();
  for (const { sessionId, lastRun } of await stores.sessions.list()) {
    const payer = lastRun?.billingSessionId ?? sessionId;
    turns.set(payer, [...(turns.get(payer) ?? []), ...turnsOf(await stores.events.after(sessionId, 0), since)]);
  }
  for (const booked of await stores.costs.sums("session", since === undefined ? {} : { since })) {
    const own = turns.get(booked.key) ?? [];
    const told = { costNanoUsd: add(own, "costNanoUsd"), unpricedTokens: add(own, "unpricedTokens") };
    const share = {
      costNanoUsd: shareOf(booked, told, "costNanoUsd"),
      unpricedTokens: shareOf(booked, told, "unpricedTokens"),
    };
    for (const turn of own) {
      const tools = turn.tools.length === 0 ? [answer] : turn.tools;
      const each = (of: Money) => (turn[of] * share[of]) / tools.length;
      for (const tool of tools)
        costs.add(tool, { requests: 0, costNanoUsd: each("costNanoUsd"), unpricedTokens: each("unpricedTokens") });
      for (const tool of new Set(tools))
        costs.add(tool, { requests: turn.requests, costNanoUsd: 0, unpricedTokens: 0 });
    }
    const left = (of: Money) => Math.max(0, booked[of] - told[of]);
    const rest = { costNanoUsd: left("costNanoUsd"), unpricedTokens: left("unpricedTokens") };
    const requests = Math.max(0, booked.requests - add(own, "requests"));
    if (own.length === 0 || rest.costNanoUsd + rest.unpricedTokens > 0) costs.add(unkept, { requests, ...rest });
  }
  return costs.all();
}

type Money = "costNanoUsd" | "unpricedTokens";

function add(turns: readonly Turn[], of: Money | "requests"): number {
  return turns.reduce((sum, turn) => sum + turn[of], 0);
}

/** How much of what was told is in the books: none of a demo's. */
function shareOf(booked: Readonly<Record<Money, number>>, told: Readonly<Record<Money, number>>, of: Money): number {
  return told[of] > booked[of] ? booked[of] / told[of] : 1;
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
    all: () =>
      [...costs.values()].map((cost) => ({
        ...cost,
        costNanoUsd: Math.round(cost.costNanoUsd),
        unpricedTokens: Math.round(cost.unpricedTokens),
      })),
  };
}
