import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent } from "@sheepdog/agent";
import { openScenario, prompt, type Scenario, session } from "../scenario.ts";
import { report, type Step } from "../step.ts";

export interface FailOrder {
  readonly folder: string;
  /** What fails, each in a folder of its own: a line for `fail-writes.c` with dashes for blanks, which is also the name of the folder. */
  readonly faults: readonly string[];
  /** The folder of a case whose files fail: `state` or `logs`. */
  readonly failing: "state" | "logs";
}

/** What came of a run on a disk that fails. */
export interface FailReport {
  readonly fault: string;
  /** Why the stores could not be opened, where they could not. */
  readonly refused?: string;
  readonly reason?: string;
  readonly problem?: string;
  readonly events: readonly AgentEvent[];
  readonly reserved: readonly string[];
  /** Calls of the stores that failed. */
  readonly failed: readonly string[];
  /** What was done after a commit or a reservation had failed. */
  readonly doneAfter: readonly string[];
  /** What was written to the standard error as a warning. */
  readonly warnings: readonly string[];
  /** How many writes and syncs there were. */
  readonly counts: readonly number[];
  /** What lies in the folder of the database. */
  readonly files: readonly string[];
}

/** Runs the scenario again and again on a disk that fails each time at another place. A process has to survive all of it. */
export async function fail({ folder, faults, failing }: FailOrder): Promise<void> {
  const warnings: string[] = [];
  process.on("warning", ({ message }) => warnings.push(message));
  for (const fault of faults) {
    const place = join(folder, fault);
    for (const name of ["state", "logs"]) mkdirSync(join(place, name), { recursive: true });
    const arm = (line: string): string => {
      const path = join(place, failing, "arm");
      writeFileSync(path, line);
      return readFileSync(path, "utf8");
    };
    arm(fault.replaceAll("-", " "));
    const outcome = await runOn(place);
    await new Promise(setImmediate); // warnings are told then
    const counts = arm("off").trim().split(" ").map(Number);
    report({
      report: { ...outcome, fault, counts, warnings: warnings.splice(0), files: readdirSync(join(place, "state")) },
    });
  }
}

async function runOn(place: string): Promise<Omit<FailReport, "fault" | "warnings" | "counts" | "files">> {
  const failed: string[] = [];
  const doneAfter: string[] = [];
  const step: Step = (name) => {
    if (name.endsWith(": failed")) failed.push(name);
    if (failed.some((each) => /commit|reserve/.test(each)) && /^(note|request): before$/.test(name))
      doneAfter.push(name);
  };
  let scenario: Scenario;
  try {
    scenario = await openScenario(place, { step, log: { dir: join(place, "logs"), level: 3 } });
  } catch (error) {
    return { refused: String(error), events: [], reserved: [], failed, doneAfter };
  }
  const { runtime, events, reserved } = scenario;
  const { reason, problem } = await runtime.run(session, prompt).result;
  await runtime.stores.close().catch((error) => failed.push(`close: ${error}`));
  return { reason, events, reserved, failed, doneAfter, ...(problem === undefined ? {} : { problem }) };
}
