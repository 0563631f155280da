import type { LedgerEntry, SavedSession, Stores } from "@sheepdog/agent";
import type { Item } from "@sheepdog/agent/timeline";
import { exitCode } from "../../exit-code.ts";
import { resolveHome } from "../../home.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import type { AttachedSession } from "../../look-back/attached/attached-sessions.ts";
import { findAttachedSessions } from "../../look-back/attached/find-attached-sessions.ts";
import { programName } from "../../program-name.ts";
import { withDiff } from "../../render/diff/call-diff.ts";
import { mermaidText } from "../../render/graph/mermaid.ts";
import { type NodeRun, planGraphs } from "../../render/graph/plan-graph.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { marksFor } from "../../render/timeline/marks.ts";
import { runItems } from "../../render/timeline/run-items.ts";
import { type FoundRun, findRun } from "../../saved-runs/find-run.ts";
import { interventionHistory, noticeEffect, numberedCalls } from "../../saved-runs/notice-effect.ts";
import type { ResumeContext } from "../../saved-runs/resume-command.ts";
import { isLive } from "../../saved-runs/run-state.ts";
import type { RunSummary } from "../../saved-runs/run-summary.ts";
import { withStores } from "../../saved-runs/with-stores.ts";
import { planCosts } from "./plan-costs.ts";
import { showDocument } from "./show-document.ts";
import { type RunDetails, showText } from "./show-text.ts";
import { turnCosts } from "./turn-costs.ts";

/** The options of `sheepdog show`. */
export interface ShowOptions {
  readonly json?: boolean;
  readonly full?: boolean;
  readonly mermaid?: boolean;
  readonly web?: boolean;
}

/** Prints one run from its prompt to its end, or opens its page. */
export async function showCommand(id: string, options: ShowOptions, io: Io): Promise<number> {
  return options.web ? showPage(id, io) : printRun(id, options, io);
}

/** The server is loaded here, since most calls print the run. */
async function showPage(id: string, io: Io): Promise<number> {
  let runId = "";
  const code = await withStores(io, async ({ stores, home }) => {
    const found = await findRun(stores, id, Date.now());
    const [attached, ...others] = found.ok ? [] : await findAttachedSessions(id, home);
    if (found.ok) runId = found.summary.run.runId;
    else if (attached !== undefined && others.length === 0) runId = attached.id;
    else await writeMessage(io, found.problem);
    return runId === "" ? exitCode.usage : exitCode.done;
  });
  if (code !== exitCode.done) return code;
  const { openRunPage } = await import("../../server/open-run-page.ts");
  return openRunPage(runId, io);
}

async function printRun(id: string, options: ShowOptions, io: Io): Promise<number> {
  const showRecorded = async (session?: AttachedSession) =>
    (await import("./show-recording.ts")).showRecording(session?.id ?? id, options, io, session);
  const [attached, ...others] = await findAttachedSessions(id, resolveHome(io.env));
  if (id.startsWith("rec_")) return showRecorded(others.length === 0 ? attached : undefined);
  return withStores(io, async ({ stores, config }) => {
    const found = await findRun(stores, id, Date.now());
    if (attached !== undefined && !isMeant(found, id, attached)) {
      if (others.length === 0) return showRecorded(attached);
      await writeMessage(io, plainText(ambiguousSession(id, [attached, ...others])));
      return exitCode.usage;
    }
    if (!found.ok) {
      const hint = `; those of other agents have ids, which this prints: ${programName(io.env)} analyze`;
      await writeMessage(io, `${found.problem}${id === "last" ? hint : ""}`);
      return exitCode.usage;
    }
    const details = await runDetails(stores, found.summary, {
      cwd: io.cwd,
      config,
      program: programName(io.env),
    });
    const text = await outputText(details, options, io);
    if (text === undefined) {
      await writeMessage(io, "--mermaid draws the plan of a director, and this run has none; leave it out");
      return exitCode.usage;
    }
    await write(io.stdout, `${text}\n`);
    return exitCode.done;
  });
}

/** Whether a run of Sheepdog is meant and not a session: `last` is the one that was written last. */
function isMeant(found: FoundRun, id: string, { changedAt }: AttachedSession): boolean {
  if (!found.ok || id !== "last") return found.ok;
  const { endedAt = Number.POSITIVE_INFINITY } = found.summary.run;
  return endedAt >= changedAt;
}

function ambiguousSession(text: string, sessions: readonly AttachedSession[]): string {
  const ids = sessions.slice(0, 5).map(({ sessionId }) => sessionId);
  const more = sessions.length - ids.length;
  return `${text} matches ${ids.join(", ")}${more > 0 ? `, and ${more} more` : ""}; type more of the id`;
}

/** The run in the requested form; undefined if a plan is requested, and the run has none. */
async function outputText(
  details: RunDetails,
  { json = false, full = false, mermaid = false }: ShowOptions,
  { stdout, env }: Io,
): Promise<string | undefined> {
  if (mermaid) {
    const lastGraph = details.graphs.at(-1);
    return lastGraph === undefined ? undefined : mermaidText(lastGraph);
  }
  if (json) return jsonText(showDocument(details));
  const layout = { style: styleFor(stdout, env), width: columnsOf(stdout, env), marks: marksFor(env), isFull: full };
  return showText(await withDiffs(details), layout).join("\n");
}

async function runDetails(stores: Stores, savedRun: RunSummary, here: ResumeContext): Promise<RunDetails> {
  const { sessionId, run, state } = savedRun;
  const session = await stores.sessions.load(sessionId);
  const events = await stores.events.after(sessionId, 0);
  const calls = numberedCalls(session.messages);
  const history = interventionHistory(events, run.runId, calls);
  const graphs = planGraphs(
    events.filter((event) => event.runId === run.runId),
    { runs: nodeRuns(savedRun), isLive: isLive(state) },
  );
  return {
    savedRun,
    here,
    items: runItems(run, events).map((item) => withLedgerCost(item, savedRun)),
    costs: turnCosts(events, run.runId),
    calls,
    graphs,
    ...(graphs.length === 0 ? {} : { planCosts: planCosts(await treeEntries(stores, savedRun, session), run.runId) }),
    effectOf: (intervention) => noticeEffect(intervention, history),
  };
}

function nodeRuns({ subagents }: RunSummary): ReadonlyMap<string, NodeRun> {
  return new Map(
    subagents.map(({ sessionId, run, costNanoUsd }) => [
      sessionId,
      { startedAt: run.startedAt, endedAt: run.endedAt, costNanoUsd },
    ]),
  );
}

/** The ledger entries of a run and its subagents. A session has one run at a time, so their time tells. */
async function treeEntries(
  stores: Stores,
  { sessionId, run, state }: RunSummary,
  { runs }: SavedSession,
): Promise<readonly LedgerEntry[]> {
  const nextRun = runs[runs.findIndex(({ runId }) => runId === run.runId) + 1];
  return (await stores.costs.rows(run.billingSessionId ?? sessionId)).filter(
    (entry) =>
      entry.at >= run.startedAt &&
      entry.at < (nextRun?.startedAt ?? Number.POSITIVE_INFINITY) &&
      !(isLive(state) && entry.state === "reserved"), // not spent yet
  );
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
