import { resolve } from "node:path";
import { outcomes } from "@sheepdog/agent";
import { agentIds, chooseAgent } from "@sheepdog/records";
import { exitCode } from "../../exit-code.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { listAttachedRuns } from "../../look-back/attached/attached-sessions.ts";
import { ownSource } from "../../recordings/saved-run-recording.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { listRuns, type RunList } from "../../saved-runs/list-runs.ts";
import { runDocument } from "../../saved-runs/run-document.ts";
import { isLive } from "../../saved-runs/run-state.ts";
import type { RunSummary } from "../../saved-runs/run-summary.ts";
import { type StoreContext, withStores } from "../../saved-runs/with-stores.ts";
import { readSince, sinceForm } from "../since.ts";
import { runsTable } from "./runs-table.ts";

/** The options of `sheepdog runs`. */
export interface RunsOptions {
  readonly json?: boolean;
  readonly all?: boolean;
  readonly limit?: string;
  readonly workspace?: string | true;
  readonly state?: string;
  readonly since?: string;
  readonly agent?: string;
}

const defaultLimit = 20;
const noRuns: RunList = { runs: [], hasMore: false };

/** Lists runs, newest first. */
export async function runsCommand(options: RunsOptions, io: Io): Promise<number> {
  const now = Date.now();
  const filter = readFilter(options, io, now);
  if (typeof filter === "string") {
    await writeMessage(io, plainText(filter));
    return exitCode.usage;
  }
  const list = async ({ stores, config, home, isUnreadable }: StoreContext) => {
    const own = await listRuns(stores, { ...filter, at: now });
    const attached = filter.isOwnOnly ? noRuns : await listAttachedRuns(home, { ...filter, at: now });
    const all = [...own.runs, ...attached.runs].toSorted((a, b) => b.run.startedAt - a.run.startedAt);
    const runs = all.slice(0, filter.limit);
    const hasMore = own.hasMore || attached.hasMore || all.length > runs.length;
    if (options.json) {
      const document = { schemaVersion: 1, runs: runs.map((run) => runDocument(run, { cwd: io.cwd, config })) };
      await write(io.stdout, `${jsonText(document)}\n`);
      return exitCode.done;
    }
    if (runs.length === 0 && isUnreadable) return exitCode.failed;
    if (runs.length === 0) {
      await writeMessage(
        io,
        hasFilter(options)
          ? "no run matches"
          : 'there are no runs yet; start one with: sheepdog run "…" (or, without a key: sheepdog demo)',
      );
      return exitCode.done;
    }
    const format = {
      style: styleFor(io.stdout, io.env),
      width: columnsOf(io.stdout, io.env),
      now,
      withSubagents: options.all ?? false,
    };
    await write(io.stdout, `${runsTable(runs, format).join("\n")}\n`);
    if (hasMore && io.stderr.isTTY)
      await writeMessage(
        io,
        "there are more runs; list more with --limit <n> or --all, and show one with: sheepdog show <run>",
      );
    return exitCode.done;
  };
  return withStores(io, list, { hasOtherRuns: true });
}

interface Filter {
  readonly limit: number;
  readonly since?: number;
  readonly isWanted: (run: RunSummary) => boolean;
  readonly isHeldOnly: boolean;
  /** No session of an attached agent is wanted: none is read. */
  readonly isOwnOnly: boolean;
}

/** The runs to list; a sentence if an option is wrong. */
function readFilter(
  { all, limit, state, since, workspace, agent }: RunsOptions,
  { cwd }: Io,
  now: number,
): Filter | string {
  const maxRuns = limit === undefined ? (all ? Number.POSITIVE_INFINITY : defaultLimit) : Number(limit);
  if (limit !== undefined && !(Number.isSafeInteger(maxRuns) && maxRuns > 0))
    return `--limit is "${limit}"; it must be a whole number above 0`;
  const after = since === undefined ? undefined : readSince(since, now);
  if (since !== undefined && after === undefined) return `--since is "${since}"; it must be ${sinceForm}`;
  const isInState = state === undefined ? () => true : stateFilter(state);
  if (isInState === undefined)
    return `--state is "${state}"; it must be ${Object.keys(states).join(", ")}, or a reason such as doom_loop`;
  const folder = workspace === undefined ? undefined : resolve(cwd, workspace === true ? "." : workspace);
  const chosen = agent === undefined ? undefined : chooseAgent(agent, [...agentIds, ownSource]);
  if (chosen?.ok === false) return chosen.problem;
  const isInFolder = ({ run }: RunSummary) => folder === undefined || run.workspace === folder;
  const isOfAgent = (run: RunSummary) => chosen === undefined || (run.agent ?? ownSource) === chosen.agent;
  const isWanted = (run: RunSummary) => isInState(run) && isInFolder(run) && isOfAgent(run);
  return {
    limit: maxRuns,
    isWanted,
    isHeldOnly: state === "running" || state === "waiting",
    isOwnOnly: chosen?.agent === ownSource,
    ...(after === undefined ? {} : { since: after }),
  };
}

const states: Readonly<Record<string, (run: RunSummary) => boolean>> = {
  running: ({ state }) => isLive(state),
  waiting: ({ state }) => state === "waiting_for_tool" || state === "waiting_for_input",
  "broken-off": ({ state }) => state === "broken_off",
  completed: ({ state }) => state === "completed",
  stopped: ({ state }) => !isLive(state) && state !== "broken_off" && state !== "completed",
};

function stateFilter(name: string): ((run: RunSummary) => boolean) | undefined {
  if (Object.hasOwn(states, name)) return states[name];
  if (Object.hasOwn(outcomes, name)) return ({ run }) => run.reason === name;
  return Object.values(outcomes).some(({ state }) => state === name) ? ({ state }) => state === name : undefined;
}

function hasFilter({ state, since, workspace, agent }: RunsOptions): boolean {
  return agent !== undefined || state !== undefined || since !== undefined || workspace !== undefined;
}
