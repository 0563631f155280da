import type { Stores } from "@sheepdog/agent";
import { exitCode } from "../../exit-code.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { wrap } from "../../render/terminal/wrap.ts";
import { loopCosts, loopDocument, loopSentence } from "../../saved-runs/loop-costs.ts";
import { type OpenRequests, openDocument, openRequests } from "../../saved-runs/open-requests.ts";
import { isoTime } from "../../saved-runs/run-document.ts";
import { withStores } from "../../saved-runs/with-stores.ts";
import { readSince, sinceForm } from "../since.ts";
import { costText, type Format, footnotes, sumsTable } from "./cost-text.ts";
import { type Sum, sumDocument, totalOf } from "./sums.ts";
import { toolCosts } from "./tool-costs.ts";

/** The options of `sheepdog cost`. */
export interface CostOptions {
  readonly by?: Grouping;
  readonly since?: string;
  readonly json?: boolean;
}

/** How costs are grouped. */
type Grouping = "day" | "month" | "model" | "purpose" | "session" | "tool";

/** Prints the money spent. */
export async function costCommand({ by, since, json = false }: CostOptions, io: Io): Promise<number> {
  const now = Date.now();
  const after = since === undefined ? undefined : readSince(since, now);
  if (since !== undefined && after === undefined) {
    await writeMessage(io, plainText(`--since is "${since}"; it must be ${sinceForm}`));
    return exitCode.usage;
  }
  return withStores(io, async ({ stores }) => {
    const format = { style: styleFor(io.stdout, io.env), width: columnsOf(io.stdout, io.env) };
    const open = await openRequests(stores, now, after);
    const filter = { at: now, ...(after === undefined ? {} : { since: after }) };
    const print = async (document: unknown, lines: () => readonly string[], total: Sum) => {
      if (json) await write(io.stdout, `${jsonText(document)}\n`);
      else if (total.requests === 0)
        await writeMessage(io, after === undefined ? "no money was spent yet" : "no money was spent since then");
      else await write(io.stdout, `${lines().join("\n")}\n`);
      return exitCode.done;
    };
    if (by === undefined) return overview(stores, { now, filter, open, format, print });
    const sums = sorted(await sumsBy(stores, by, filter), by);
    const total = by === "tool" ? totalOf(await sumsBy(stores, "model", filter)) : totalOf(sums);
    const prompts = by === "session" ? await lastPrompts(stores) : undefined;
    const note = prompts === undefined ? undefined : (key: string) => prompts.get(key) ?? "";
    const document = {
      schemaVersion: 1,
      by,
      since: sinceDocument(after),
      sums: sums.map(sumDocument),
      total: sumDocument(total),
      ...openDocument(open),
    };
    return print(
      document,
      () => [...sumsTable(titles[by], sums, format, note), "", ...notesOf(total, open, by, format)],
      total,
    );
  });
}

const titles: Readonly<Record<Grouping, string>> = {
  day: "DAY (UTC)",
  month: "MONTH (UTC)",
  model: "MODEL",
  purpose: "PURPOSE",
  session: "SESSION",
  tool: "TOOL",
};

interface Overview {
  readonly now: number;
  readonly filter: SumFilter;
  readonly open: OpenRequests;
  readonly format: Format;
  readonly print: (document: unknown, lines: () => readonly string[], total: Sum) => Promise<number>;
}

/** Prints the sums of today and this month, by model, and by purpose. */
async function overview(stores: Stores, { now, filter, open, format, print }: Overview): Promise<number> {
  const [day, month] = [new Date(now).toISOString().slice(0, 10), new Date(now).toISOString().slice(0, 7)];
  const spent = await stores.costs.totals("", now); // as limits and pages count it: without requests in progress
  const sumOf = (sums: readonly Sum[], key: string) =>
    totalOf(
      sums.filter((sum) => sum.key === key),
      key,
    );
  const today = { ...sumOf(await stores.costs.sums("day", { at: now }), day), costNanoUsd: spent.day };
  const thisMonth = { ...sumOf(await stores.costs.sums("month", { at: now }), month), costNanoUsd: spent.month };
  const loops = await loopCosts(stores, filter.since);
  const models = sorted(await sumsBy(stores, "model", filter), "model");
  const purposes = sorted(await sumsBy(stores, "purpose", filter), "purpose");
  const total = totalOf(models);
  const document = {
    schemaVersion: 1,
    by: null,
    since: sinceDocument(filter.since),
    today: sumDocument(today),
    month: sumDocument(thisMonth),
    models: models.map(sumDocument),
    purposes: purposes.map(sumDocument),
    total: sumDocument(total),
    ...openDocument(open),
    loops: loopDocument(loops),
  };
  const loopText = loopSentence(loops);
  const lines = () => [
    ...wrap(`Today ${costText(today)}, this month ${costText(thisMonth)} (${month}, UTC).`, format.width).map(
      format.style.bold,
    ),
    "",
    ...sumsTable(titles.model, models, format),
    "",
    ...purposeLines(purposes, format),
    ...(loopText === undefined ? [] : wrap(loopText, format.width)),
    ...notesOf(total, open, "model", format),
  ];
  return print(document, lines, total);
}

/** What the money was spent for, if not all of it was spent for turns. */
function purposeLines(purposes: readonly Sum[], format: Format): readonly string[] {
  return purposes.every(({ key }) => key === "turn") ? [] : [...sumsTable(titles.purpose, purposes, format), ""];
}

interface SumFilter {
  readonly at: number;
  readonly since?: number;
}

async function sumsBy(stores: Stores, by: Grouping, filter: SumFilter): Promise<readonly Sum[]> {
  return by === "tool" ? toolCosts(stores, filter) : stores.costs.sums(by, filter);
}

/** Days and months: newest first. Everything else: highest cost first. */
function sorted(sums: readonly Sum[], by: Grouping): readonly Sum[] {
  if (by === "day" || by === "month") return sums.toReversed();
  return sums.toSorted(
    (one, other) =>
      other.costNanoUsd - one.costNanoUsd ||
      other.unpricedTokens - one.unpricedTokens ||
      (one.key < other.key ? -1 : 1),
  );
}

function notesOf(total: Sum, open: OpenRequests, by: Grouping, format: Format): readonly string[] {
  const split = by === "tool" ? wrap("The cost of a turn is split evenly over its calls.", format.width) : [];
  return [...split.map(format.style.dim), ...footnotes(total, open, format)];
}

async function lastPrompts(stores: Stores): Promise<ReadonlyMap<string, string>> {
  return new Map((await stores.sessions.list()).map(({ sessionId, lastRun }) => [sessionId, lastRun?.prompt ?? ""]));
}

function sinceDocument(after: number | undefined): string | null {
  return after === undefined ? null : isoTime(after);
}
