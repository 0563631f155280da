import type { AgentEvent, CostSum, CostTotals, LedgerEntry, RunResult, SavedSession } from "@sheepdog/agent";
import { openDatabase } from "@sheepdog/records";
import { machineClock } from "../../src/protocol/clock.ts";
import { effectsIn } from "./note-tools.ts";
import {
  databaseIn,
  effectsFolder,
  openScenario,
  prompt,
  type Scenario,
  type ScenarioOptions,
  session,
} from "./scenario.ts";

/** A session as the ended process left it, and after the next process. */
export interface ResumedSession {
  readonly before: SavedSession;
  readonly rowsBefore: readonly LedgerEntry[];
  readonly after: SavedSession;
  readonly rows: readonly LedgerEntry[];
  readonly totals: CostTotals;
  readonly sums: readonly CostSum[];
  /** The saved events. */
  readonly savedEvents: readonly AgentEvent[];
  /** The result of the resumed run; undefined when the run had ended. */
  readonly result: RunResult | undefined;
  /** How often each call was executed, by call id. */
  readonly effects: ReadonlyMap<string, number>;
  readonly scenario: Scenario;
  /** The result of SQLite's integrity check. */
  readonly integrity: unknown;
}

/** Resumes a session after a crash, starts it again when nothing was saved, or sends a new prompt when there is one. */
export async function resumeSession(
  folder: string,
  { newPrompt, ...options }: ScenarioOptions & { readonly newPrompt?: string } = {},
): Promise<ResumedSession> {
  const scenario = await openScenario(folder, options);
  const { stores } = scenario.runtime;
  const before = await stores.sessions.load(session);
  const rowsBefore = await stores.costs.rows(session);
  const result =
    newPrompt === undefined
      ? await resumeOrStart(scenario, before)
      : await scenario.runtime.run(session, newPrompt).result;
  const resumed = {
    before,
    rowsBefore,
    result,
    scenario,
    after: await stores.sessions.load(session),
    rows: await stores.costs.rows(session),
    totals: await stores.costs.totals(session, (options.clock ?? machineClock).now()),
    sums: await stores.costs.sums("run", { sessionId: session }),
    savedEvents: await stores.events.after(session, 0),
    effects: effectsIn(effectsFolder(folder), session),
  };
  await stores.close();
  return { ...resumed, integrity: await integrityOf(folder) };
}

async function resumeOrStart({ runtime }: Scenario, { runs }: SavedSession): Promise<RunResult | undefined> {
  const last = runs.at(-1);
  if (last === undefined) return runtime.run(session, prompt).result;
  if (last.state === "running" || last.state === "error") return (await runtime.resume(session)).result;
  return undefined;
}

async function integrityOf(folder: string): Promise<unknown> {
  const database = await openDatabase(databaseIn(folder));
  try {
    return database.prepare("PRAGMA integrity_check").all();
  } finally {
    database.close();
  }
}
