import type { RecordedRun, RecordedUsage } from "../../trajectory/recorded-run.ts";
import { addTokens, combineTokens, noTokens, type RequestTokens, recordedUsage } from "../anthropic/request-tokens.ts";
import type { SessionTotals } from "./session-totals.ts";

/** A step in the account of a session. */
interface Entry {
  readonly model: string | undefined;
  readonly request: string | undefined;
  tokens: RequestTokens;
  costUsd: number;
}

/**
 * The runs of a session with the tokens and dollars that it states at its end. The lines of a stream state less: the
 * output of a reply before it is complete, and nothing of side tasks. What no line states is added to the last step of
 * its model. The cost of each model is divided among its steps by their tokens, so that the sum is the recorded one.
 */
export function settle(runs: readonly RecordedRun[], totals: readonly SessionTotals[]): readonly RecordedRun[] {
  const [main] = runs;
  if (main === undefined || totals.length === 0) return runs;
  const entries = runs.map((run) => run.steps.map((step) => entryOf(run, step)));
  const all = entries.flat();
  const last = entries[0]?.at(-1);
  if (last === undefined) return runs;
  const costUsd = totals.reduce((sum, total) => sum + total.costUsd, 0);
  const models = modelsOf(totals);
  const named = new Set(all.map(({ model }) => model));
  for (const { model, tokens, costUsd: modelUsd } of models.filter((stated) => named.has(stated.model)))
    settleEntries(
      all.filter((entry) => entry.model === model),
      last,
      { tokens, costUsd: modelUsd },
    );
  const strays = models.filter((stated) => !named.has(stated.model)); // of side tasks, or under another name
  const unmatched = all.filter((entry) => !models.some(({ model }) => model === entry.model));
  if (strays.length > 0) settleEntries(unmatched, last, sumOf(strays));
  const mainTokens = totals.reduce<RequestTokens>((sum, { main: own }) => addTokens(sum, own ?? noTokens), noTokens);
  addMissing(entries[0] ?? [], last, mainTokens);
  const rest = costUsd - all.reduce((sum, entry) => sum + entry.costUsd, 0);
  if (totals.some(({ models }) => models.length > 0)) last.costUsd = Math.max(0, last.costUsd + rest);
  else divide(all, costUsd);
  return runs.map((run, index) => ({
    ...run,
    steps: run.steps.map((step, position) => {
      const entry = entries[index]?.[position];
      return entry === undefined ? step : { ...step, usage: usageOf(entry) };
    }),
  }));
}

function entryOf(run: RecordedRun, { model, usage }: RecordedRun["steps"][number]): Entry {
  const { inputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0, cacheWrite1hTokens = 0 } = usage ?? {};
  return {
    model: model ?? run.model,
    request: usage?.request,
    tokens: {
      input: inputTokens - cacheReadTokens - cacheWriteTokens,
      cacheRead: cacheReadTokens,
      cacheWrite: cacheWriteTokens,
      cacheWrite1h: cacheWrite1hTokens,
      output: usage?.outputTokens ?? 0,
    },
    costUsd: 0,
  };
}

/** Adds what is missing to the last one of these steps, or to `otherwise`, and divides the cost among them. */
function settleEntries(entries: readonly Entry[], otherwise: Entry, stated: Amount): void {
  addMissing(entries, entries.at(-1) ?? otherwise, stated.tokens);
  divide(entries.length > 0 ? entries : [otherwise], stated.costUsd);
}

type Amount = Pick<SessionTotals["models"][number], "tokens" | "costUsd">;

function sumOf(amounts: readonly Amount[]): Amount {
  return {
    tokens: amounts.reduce<RequestTokens>((sum, { tokens }) => addTokens(sum, tokens), noTokens),
    costUsd: amounts.reduce((sum, { costUsd }) => sum + costUsd, 0),
  };
}

/** The totals of each model in all processes of the session. */
function modelsOf(totals: readonly SessionTotals[]): SessionTotals["models"] {
  const sums = new Map<string, SessionTotals["models"][number]>();
  for (const stated of totals.flatMap(({ models }) => models)) {
    const sum = sums.get(stated.model);
    sums.set(stated.model, sum === undefined ? stated : { model: stated.model, ...sumOf([sum, stated]) });
  }
  return [...sums.values()];
}

function addMissing(entries: readonly Entry[], target: Entry, stated: RequestTokens): void {
  const known = entries.reduce<RequestTokens>((sum, { tokens }) => addTokens(sum, tokens), noTokens);
  const missing = combineTokens(stated, known, (all, listed) => Math.max(0, all - listed));
  target.tokens = addTokens(target.tokens, missing);
}

function divide(entries: readonly Entry[], costUsd: number): void {
  const weights = entries.map(({ tokens }) => priceWeight(tokens));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  for (const [index, entry] of entries.entries())
    entry.costUsd += total === 0 ? costUsd / entries.length : (costUsd * (weights[index] ?? 0)) / total;
}

/** The prices of Anthropic's models have these proportions to the price of an input token. */
function priceWeight({ input, cacheRead, cacheWrite, cacheWrite1h, output }: RequestTokens): number {
  return input + 0.1 * cacheRead + 1.25 * (cacheWrite - cacheWrite1h) + 2 * cacheWrite1h + 5 * output;
}

function usageOf({ tokens, costUsd, request }: Entry): RecordedUsage {
  return { ...recordedUsage(tokens), costUsd, ...(request === undefined ? {} : { request }) };
}
