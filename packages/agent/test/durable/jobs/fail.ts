import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent } from "@sheepdog/agent";
import { openScenario, prompt, type Scenario, session } from "../scenario.ts";
import { report, type Step } from "../step.ts";

export interface FailInput {
  readonly folder: string;
  /** One run per fault: a line for `fail-writes.c` with dashes for blanks, which is also the run's folder name. */
  readonly faults: readonly string[];
  /** The subfolder whose files fail. */
  readonly failing: "state" | "logs";
}

/** The outcome of a run on a failing disk. */
export interface FailReport {
  readonly fault: string;
  /** Why the stores could not be opened. */
  readonly refused?: string;
  readonly reason?: string;
  readonly problem?: string;
  readonly events: readonly AgentEvent[];
  readonly reserved: readonly string[];
  /** Store operations that failed. */
  readonly failed: readonly string[];
  /** Side effects after a failed commit or reservation. */
  readonly doneAfter: readonly string[];
  /** Warnings of the process. */
  readonly warnings: readonly string[];
  /** Number of writes, and number of syncs. */
  readonly counts: readonly number[];
  /** Files in the folder of the database. */
  readonly files: readonly string[];
}

/** Runs the scenario once per fault, each time with another failing write or sync. The process must survive all. */
export async function fail({ folder, faults, failing }: FailInput): Promise<void> {
  const warnings: string[] = [];
  process.on("warning", ({ message }) => warnings.push(message));
  for (const fault of faults) {
    const runFolder = join(folder, fault);
    for (const name of ["state", "logs"]) mkdirSync(join(runFolder, name), { recursive: true });
    const arm = (line: string): string => {
      const path = join(runFolder, failing, "arm");
      writeFileSync(path, line);
      return readFileSync(path, "utf8");
    };
    arm(fault.replaceAll("-", " "));
    const outcome = await runOn(runFolder);
    await new Promise(setImmediate); // warnings are emitted in the next turn
    const counts = arm("off").trim().split(" ").map(Number);
    report({
      report: { ...outcome, fault, counts, warnings: warnings.splice(0), files: readdirSync(join(runFolder, "state")) },
    });
  }
}

async function runOn(folder: string): Promise<Omit<FailReport, "fault" | "warnings" | "counts" | "files">> {
  const failed: string[] = [];
  const doneAfter: string[] = [];
  const step: Step = (name) => {
    if (name.endsWith(": failed")) failed.push(name);
    if (failed.some((each) => /commit|reserve/.test(each)) && /^(note|request): before$/.test(name))
      doneAfter.push(name);
  };
  let scenario: Scenario;
  try {
    scenario = await openScenario(folder, { step, log: { dir: join(folder, "logs"), level: 3 } });
  } catch (error) {
    return { refused: String(error), events: [], reserved: [], failed, doneAfter };
  }
  const { runtime, events, reserved } = scenario;
  const { reason, problem } = await runtime.run(session, prompt).result;
  await runtime.stores.close().catch((error) => failed.push(`close: ${error}`));
  return { reason, events, reserved, failed, doneAfter, ...(problem === undefined ? {} : { problem }) };
}
