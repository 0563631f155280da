import { isLostAmounts, type LedgerEntry } from "@sheepdog/agent";
import { exitCode } from "../../exit-code.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { dollars } from "../../render/terminal/amounts.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { type Column, layOut } from "../../render/terminal/table.ts";
import { wrap } from "../../render/terminal/wrap.ts";
import { isoTime } from "../../saved-runs/run-document.ts";
import { withStores } from "../../saved-runs/with-stores.ts";

const why = "the process ended before the request did";
const whyLost = "the database was damaged, and amounts of this time could not be read";

/** Lists the requests whose cost is unconfirmed, and those that a user has settled. */
export async function unconfirmedCommand({ json = false }: { readonly json?: boolean }, io: Io): Promise<number> {
  return withStores(io, async ({ stores }) => {
    const rows = await stores.costs.unconfirmed(Date.now());
    const unconfirmed = rows.filter(({ state }) => state === "unconfirmed");
    const settled = rows.filter(({ correction }) => correction !== undefined);
    if (json)
      await write(
        io.stdout,
        `${jsonText({ schemaVersion: 1, unconfirmed: unconfirmed.map(document), settled: settled.map(document) })}\n`,
      );
    else if (rows.length === 0)
      await writeMessage(io, "no request is unconfirmed; one of a process on another machine is listed after an hour");
    else await write(io.stdout, `${lines(unconfirmed, settled, io).join("\n")}\n`);
    return exitCode.done;
  });
}

function document({ id, at, sessionId, runId, model, usage, costNanoUsd, correction }: LedgerEntry): unknown {
  return {
    id,
    at: isoTime(at),
    sessionId,
    runId,
    model,
    inputTokens: usage.input,
    outputTokens: usage.output,
    costUsd: usd(costNanoUsd),
    why: isLostAmounts({ sessionId }) ? whyLost : why,
    ...(correction === undefined
      ? {}
      : {
          settledBy: correction.by,
          settledAt: isoTime(correction.at),
          earlierUsd: usd(correction.fromNanoUsd),
        }),
  };
}

function lines(unconfirmed: readonly LedgerEntry[], settled: readonly LedgerEntry[], io: Io): readonly string[] {
  const style = styleFor(io.stdout, io.env);
  const width = columnsOf(io.stdout, io.env);
  const rows = unconfirmed.map(({ id, at, sessionId, model, costNanoUsd }) => [
    id,
    shortTime(at),
    plainText(sessionId).slice(0, 40),
    plainText(model).slice(0, 40),
    money(costNanoUsd),
  ]);
  const [head = "", ...body] = layOut(columns, rows, width);
  const note =
    `Of each, ${why}; it counts with the most that it can have cost. ` +
    "To settle one with the amount of your provider's bill: sheepdog cost settle <request> --amount 0.12";
  return [
    ...(unconfirmed.some(isLostAmounts) ? wrap(`Of a row of lost-amounts: ${whyLost}.`, width) : []),
    ...(unconfirmed.length === 0
      ? ["No request is unconfirmed."]
      : [style.bold(head), ...body, "", ...wrap(note, width)]),
    ...(settled.length === 0 ? [] : ["", ...settled.flatMap((row) => wrap(settledText(row), width))]),
  ];
}

const columns: readonly Column[] = [
  { title: "REQUEST", align: "left", min: 24 },
  { title: "WHEN (UTC)", align: "left", min: 16, isOptional: true },
  { title: "SESSION", align: "left", min: 8, shrinkPriority: 2, isOptional: true },
  { title: "MODEL", align: "left", min: 8, shrinkPriority: 1, isOptional: true },
  { title: "AT MOST", align: "right", min: 7 },
];

function settledText({ id, costNanoUsd, correction }: LedgerEntry): string {
  if (correction === undefined) return "";
  const { by, at, fromNanoUsd } = correction;
  const change = `${money(costNanoUsd)} (before: ${money(fromNanoUsd)})`;
  return `${id} was settled with ${change} by ${plainText(by)}, ${shortTime(at)}.`;
}

function money(nanoUsd: number | null): string {
  return nanoUsd === null ? "?" : dollars(nanoUsd / 1e9);
}

function usd(nanoUsd: number | null): number | null {
  return nanoUsd === null ? null : nanoUsd / 1e9;
}

function shortTime(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace("T", " ");
}
