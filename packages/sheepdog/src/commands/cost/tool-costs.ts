import type { AgentEvent, CostSum, Stores } from "@sheepdog/agent";

/** The money spent for the calls of a tool. */
export interface ToolCost {
  readonly key: string;
  /** Requests whose reply called this tool, possibly among others. */
  readonly requests: number;
  readonly costNanoUsd: number;
  readonly unpricedTokens: number;
}

/** The key for replies without a call. */
const answerKey = "(answer)";
/** The key for sessions without saved events. */
const unsavedKey = "(not saved)";

/**
 * The money spent by tool: the cost of each turn is split evenly over the calls of its reply. The ledger has the
 * amounts and the events have the turns. Costs without events are listed as not saved, and events without a ledger
 * entry were never charged: so the total equals that of the ledger.
 */
export async function toolCosts(
  stores: Stores,
  filter: { readonly at: number; readonly since?: number },
): Promise<readonly ToolCost[]> {
  const costs = createToolCosts();
  const turnsByPayer = new Map<string, Turn[]>();
  for (const { sessionId, lastRun } of await stores.sessions.list()) {
    const payer = lastRun?.billingSessionId ?? sessionId;
    const turns = paidTurns(await stores.events.after(sessionId, 0), filter.since);
    turnsByPayer.set(payer, [...(turnsByPayer.get(payer) ?? []), ...turns]);
  }
  for (const recorded of await stores.costs.sums("session", filter)) {
    const turns = turnsByPayer.get(recorded.key) ?? [];
    const shares = chargedShares(recorded, turns);
    for (const turn of turns) costs.addTurn(turn, shares);
    const rest: Amounts = {
      requests: Math.max(0, recorded.requests - total(turns, "requests")),
      costNanoUsd: Math.max(0, recorded.costNanoUsd - total(turns, "costNanoUsd")),
      unpricedTokens: Math.max(0, recorded.unpricedTokens - total(turns, "unpricedTokens")),
    };
    if (turns.length === 0 || rest.costNanoUsd + rest.unpricedTokens > 0) costs.add(unsavedKey, rest);
  }
  return costs.all();
}

type Amounts = Pick<CostSum, "requests" | "costNanoUsd" | "unpricedTokens">;
type Spending = "costNanoUsd" | "unpricedTokens";

function total(turns: readonly Turn[], amount: keyof Amounts): number {
  return turns.reduce((sum, turn) => sum + turn[amount], 0);
}

/** The share of the turns' spending that the ledger has: below 1 if part of it was not charged, as in a demo. */
function chargedShares(recorded: CostSum, turns: readonly Turn[]): Readonly<Record<Spending, number>> {
  const share = (amount: Spending) => {
    const emitted = total(turns, amount);
    return emitted > recorded[amount] ? recorded[amount] / emitted : 1;
  };
  return { costNanoUsd: share("costNanoUsd"), unpricedTokens: share("unpricedTokens") };
}

interface Turn extends Amounts {
  readonly tools: string[];
  requests: number;
  costNanoUsd: number;
  unpricedTokens: number;
}

/** The turns of a session that cost something since then. */
function paidTurns(events: readonly AgentEvent[], since = Number.NEGATIVE_INFINITY): readonly Turn[] {
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

interface ToolCosts {
  add(key: string, amounts: Amounts): void;
  /** Splits a turn over its calls. Each tool counts the turn's requests once. */
  addTurn(turn: Turn, shares: Readonly<Record<Spending, number>>): void;
  all(): readonly ToolCost[];
}

function createToolCosts(): ToolCosts {
  const costs = new Map<string, ToolCost>();
  const add: ToolCosts["add"] = (key, { requests, costNanoUsd, unpricedTokens }) => {
    const sum = costs.get(key) ?? { key, requests: 0, costNanoUsd: 0, unpricedTokens: 0 };
    costs.set(key, {
      key,
      requests: sum.requests + requests,
      costNanoUsd: sum.costNanoUsd + costNanoUsd,
      unpricedTokens: sum.unpricedTokens + unpricedTokens,
    });
  };
  return {
    add,
    addTurn(turn, shares) {
      const tools = turn.tools.length === 0 ? [answerKey] : turn.tools;
      const perCall = (amount: Spending) => (turn[amount] * shares[amount]) / tools.length;
      for (const tool of tools)
        add(tool, { requests: 0, costNanoUsd: perCall("costNanoUsd"), unpricedTokens: perCall("unpricedTokens") });
      for (const tool of new Set(tools)) add(tool, { requests: turn.requests, costNanoUsd: 0, unpricedTokens: 0 });
    },
    all: () =>
      [...costs.values()].map((cost) => ({
        ...cost,
        costNanoUsd: Math.round(cost.costNanoUsd),
        unpricedTokens: Math.round(cost.unpricedTokens),
      })),
  };
}
