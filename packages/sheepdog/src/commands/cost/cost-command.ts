import type { Stores } from "@sheepdog/agent";
import { exitCode } from "../../exit-code.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { wrap } from "../../render/terminal/wrap.ts";
import { isoTime } from "../../saved-runs/run-document.ts";
import { withStores } from "../../saved-runs/with-stores.ts";
import { readSince, sinceForm } from "../since.ts";
import { costText, footnotes, type Look, sumsTable } from "./cost-text.ts";
import { type Sum, sumDocument, totalOf } from "./sums.ts";
import { toolCosts } from "./tool-costs.ts";

export interface CostOptions {
  readonly by?: By;
  readonly since?: string;
  readonly json?: boolean;
}

/** What sums can be made by. */
type By = "day" | "month" | "model" | "session" | "tool";

/** Says what was spent. */
export async function costCommand({ by, since, json = false }: CostOptions, io: Io): Promise<number> {
  const now = Date.now();
  const after = since === undefined ? undefined : readSince(since, now);
  if (since !== undefined && after === undefined) {
    await writeMessage(io, plainText(`--since is "${since}"; it must be ${sinceForm}`));
    return exitCode.usage;
  }
  return withStores(io, async ({ stores }) => {
    const look = { style: styleFor(io.stdout, io.env), width: columnsOf(io.stdout, io.env) };
    const print = async (document: unknown, lines: () => readonly string[], total: Sum) => {
      if (json) await write(io.stdout, `${jsonText(document)}\n`);
      else if (total.requests === 0)
        await writeMessage(io, after === undefined ? "nothing was spent yet" : "nothing was spent since then");
      else await write(io.stdout, `${lines().join("\n")}\n`);
      return exitCode.done;
    };
    if (by === undefined) return overview(stores, { now, after, look, print });
    const sums = sorted(await sumsBy(stores, by, after), by);
    const total = by === "tool" ? totalOf(await sumsBy(stores, "model", after)) : totalOf(sums);
    const prompts = by === "session" ? await promptsOf(stores) : undefined;
    const remark = prompts === undefined ? undefined : (key: string) => prompts.get(key) ?? "";
    const document = {
      schemaVersion: 1,
      by,
      since: sinceOf(after),
      sums: sums.map(sumDocument),
      total: sumDocument(total),
    };
    return print(
      document,
      () => [...sumsTable(titles[by], sums, look, remark), "", ...notesOf(total, by, look)],
      total,
    );
  });
}

const titles: Readonly<Record<By, string>> = {
  day: "DAY (UTC)",
  month: "MONTH (UTC)",
  model: "MODEL",
  session: "SESSION",
  tool: "TOOL",
};

interface Overview {
  readonly now: number;
  readonly after: number | undefined;
  readonly look: Look;
  readonly print: (document: unknown, lines: () => readonly string[], total: Sum) => Promise<number>;
}

/** Today, this month, and by model. */
async function overview(stores: Stores, { now, after, look, print }: Overview): Promise<number> {
  const [day, month] = [new Date(now).toISOString().slice(0, 10), new Date(now).toISOString().slice(0, 7)];
  const today = totalOf(
    (await stores.costs.sums("day")).filter(({ key }) => key === day),
    day,
  );
  const thisMonth = totalOf(
    (await stores.costs.sums("month")).filter(({ key }) => key === month),
    month,
  );
  const models = sorted(await sumsBy(stores, "model", after), "model");
  const total = totalOf(models);
  const document = {
    schemaVersion: 1,
    by: null,
    since: sinceOf(after),
    today: sumDocument(today),
    month: sumDocument(thisMonth),
    models: models.map(sumDocument),
    total: sumDocument(total),
  };
  const lines = () => [
    ...wrap(`Today ${costText(today)}, this month ${costText(thisMonth)} (${month}, UTC).`, look.width).map(
      look.style.bold,
    ),
    "",
    ...sumsTable(titles.model, models, look),
    "",
    ...notesOf(total, "model", look),
  ];
  return print(document, lines, total);
}

async function sumsBy(stores: Stores, by: By, since: number | undefined): Promise<readonly Sum[]> {
  return by === "tool" ? toolCosts(stores, since) : stores.costs.sums(by, since === undefined ? {} : { since });
}

/** The newest day first; of everything else, what cost most. */
function sorted(sums: readonly Sum[], by: By): readonly Sum[] {
  if (by === "day" || by === "month") return sums.toReversed();
  return sums.toSorted(
    (one, other) =>
      other.costNanoUsd - one.costNanoUsd ||
      other.unpricedTokens - one.unpricedTokens ||
      (one.key < other.key ? -1 : 1),
  );
}

function notesOf(total: Sum, by: By, look: Look): readonly string[] {
  const split = by === "tool" ? wrap("What a turn cost is split evenly over the calls it made.", look.width) : [];
  return [...split.map(look.style.dim), ...footnotes(total, look)];
}

async function promptsOf(stores: Stores): Promise<ReadonlyMap<string, string>> {
  return new Map((await stores.sessions.list()).map(({ sessionId, lastRun }) => [sessionId, lastRun?.prompt ?? ""]));
}

function sinceOf(after: number | undefined): string | null {
  return after === undefined ? null : isoTime(after);
}
