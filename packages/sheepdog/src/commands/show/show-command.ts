import type { Stores } from "@sheepdog/agent";
import { exitCode } from "../../exit-code.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { programName } from "../../program-name.ts";
import { withDiff } from "../../render/diff/call-diff.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import type { Item } from "../../render/timeline/item.ts";
import { marksFor } from "../../render/timeline/marks.ts";
import { savedItems } from "../../render/timeline/saved-items.ts";
import { findRun } from "../../saved-runs/find-run.ts";
import type { ResumeContext } from "../../saved-runs/resume-command.ts";
import type { RunSummary } from "../../saved-runs/run-summary.ts";
import { withStores } from "../../saved-runs/with-stores.ts";
import { interventionHistory, noticeEffect, numberedCalls } from "./notice-effect.ts";
import { showDocument } from "./show-document.ts";
import { type RunDetails, showText } from "./show-text.ts";
import { turnCosts } from "./turn-costs.ts";

/** The options of `sheepdog show`. */
export interface ShowOptions {
  readonly json?: boolean;
  readonly full?: boolean;
}

/** Prints one run from its prompt to its end. */
export async function showCommand(id: string, { json = false, full = false }: ShowOptions, io: Io): Promise<number> {
  return withStores(io, async ({ stores, config }) => {
    const found = await findRun(stores, id, Date.now());
    if (!found.ok) {
      await writeMessage(io, found.problem);
      return exitCode.usage;
    }
    const details = await runDetails(stores, found.summary, {
      cwd: io.cwd,
      config,
      program: programName(io.env),
    });
    const layout = {
      style: styleFor(io.stdout, io.env),
      width: columnsOf(io.stdout, io.env),
      marks: marksFor(io.env),
      isFull: full,
    };
    const text = json ? jsonText(showDocument(details)) : showText(await withDiffs(details), layout).join("\n");
    await write(io.stdout, `${text}\n`);
    return exitCode.done;
  });
}

async function runDetails(stores: Stores, savedRun: RunSummary, here: ResumeContext): Promise<RunDetails> {
  const { sessionId, run } = savedRun;
  const session = await stores.sessions.load(sessionId);
  const events = await stores.events.after(sessionId, 0);
  const calls = numberedCalls(session.messages);
  const history = interventionHistory(events, run.runId, calls);
  return {
    savedRun,
    here,
    items: savedItems(session, events, run.runId).map((item) => withLedgerCost(item, savedRun)),
    costs: turnCosts(events, run.runId),
    calls,
    effectOf: (intervention) => noticeEffect(intervention, history),
  };
}

/** Only the text shows the changes of files, and only then the library for them is loaded. */
async function withDiffs(details: RunDetails): Promise<RunDetails> {
  return { ...details, items: await Promise.all(details.items.map(withDiff)) };
}

/** Takes the cost of a run with subagents from the ledger: the end event may lack some of it. */
function withLedgerCost(item: Item, { subagents, costNanoUsd }: RunSummary): Item {
  return item.type !== "end" || subagents.length === 0
    ? item
    : { ...item, result: { ...item.result, costWithSubagentsNanoUsd: costNanoUsd } };
}
