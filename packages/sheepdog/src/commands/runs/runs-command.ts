import { resolve } from "node:path";
import { outcomes } from "@sheepdog/agent";
import { exitCode } from "../../exit-code.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { listRuns } from "../../saved-runs/list-runs.ts";
import { runDocument } from "../../saved-runs/run-document.ts";
import { isLive } from "../../saved-runs/run-state.ts";
import type { RunSummary } from "../../saved-runs/run-summary.ts";
import { withStores } from "../../saved-runs/with-stores.ts";
import { readSince, sinceForm } from "../since.ts";
import { runsTable } from "./runs-table.ts";

export interface RunsOptions {
  readonly json?: boolean;
  readonly all?: boolean;
  readonly limit?: string;
  readonly workspace?: string | true;
  readonly state?: string;
  readonly since?: string;
}

const usualLimit = 20;

/** Lists runs, the newest first. */
export async function runsCommand(options: RunsOptions, io: Io): Promise<number> {
  const now = Date.now();
  const asked = readOptions(options, io, now);
  if (typeof asked === "string") {
    await writeMessage(io, plainText(asked));
    return exitCode.usage;
  }
  return withStores(io, async ({ stores, config }) => {
    const { runs, hasMore } = await listRuns(stores, { ...asked, at: now });
    if (options.json) {
      await write(
        io.stdout,
        `${jsonText({ schemaVersion: 1, runs: runs.map((run) => runDocument(run, { cwd: io.cwd, config })) })}\n`,
      );
      return exitCode.done;
    }
    if (runs.length === 0) {
      await writeMessage(
        io,
        isNarrowed(options)
          ? "no run is like that"
          : 'there are no runs yet; `sheepdog run "…"` makes one, `sheepdog demo` two without a key',
      );
      return exitCode.done;
    }
    const look = {
      style: styleFor(io.stdout, io.env),
      width: columnsOf(io.stdout, io.env),
      now,
      withChildren: options.all ?? false,
    };
    await write(io.stdout, `${runsTable(runs, look).join("\n")}\n`);
    if (hasMore && io.stderr.isTTY)
      await writeMessage(
        io,
        "there are more: --limit says how many are shown, --all shows them all; `sheepdog show <run>` tells of one",
      );
    return exitCode.done;
  });
}

interface Asked {
  readonly limit: number;
  readonly since?: number;
  readonly isWanted: (run: RunSummary) => boolean;
  readonly isHeldOnly: boolean;
}

/** What is asked for; a sentence where that is nonsense. */
function readOptions({ all, limit, state, since, workspace }: RunsOptions, { cwd }: Io, now: number): Asked | string {
  const most = limit === undefined ? (all ? Number.POSITIVE_INFINITY : usualLimit) : Number(limit);
  if (limit !== undefined && !(Number.isSafeInteger(most) && most > 0))
    return `--limit is "${limit}"; it must be a whole number above 0`;
  const after = since === undefined ? undefined : readSince(since, now);
  if (since !== undefined && after === undefined) return `--since is "${since}"; it must be ${sinceForm}`;
  const isInState = state === undefined ? () => true : inState(state);
  if (isInState === undefined)
    return `--state is "${state}"; it must be ${Object.keys(states).join(", ")}, or a reason such as doom_loop`;
  const folder = workspace === undefined ? undefined : resolve(cwd, workspace === true ? "." : workspace);
  const isWanted = (run: RunSummary) => isInState(run) && (folder === undefined || run.run.workspace === folder);
  return {
    limit: most,
    isWanted,
    isHeldOnly: state === "running" || state === "waiting",
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

function inState(name: string): ((run: RunSummary) => boolean) | undefined {
  if (Object.hasOwn(states, name)) return states[name];
  if (Object.hasOwn(outcomes, name)) return ({ run }) => run.reason === name;
  return Object.values(outcomes).some(({ state }) => state === name) ? ({ state }) => state === name : undefined;
}

function isNarrowed({ state, since, workspace }: RunsOptions): boolean {
  return state !== undefined || since !== undefined || workspace !== undefined;
}
