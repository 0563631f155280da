import { goal, openScenario, prompt, type Scenario, session } from "../scenario.ts";
import { killingStep, report, type Step, waitForFile } from "../step.ts";

export interface RunInput {
  readonly folder: string;
  /** Sessions to run at the same time. Default: one. */
  readonly sessions?: readonly string[];
  /** Number of the step at which the process kills itself. */
  readonly killAt?: number;
  /** Report every step. */
  readonly reportsSteps?: boolean;
  /** Reports the step and waits there until a file exists. */
  readonly hold?: { readonly at: string; readonly until: string };
  /** Dies at a step of an unexpected error. */
  readonly die?: { readonly at: string; readonly of: Death };
  /** Every note needs approval, and gets it. */
  readonly needsApproval?: boolean;
  /** Run with a goal. */
  readonly hasGoal?: boolean;
  /** A subagent writes the note. */
  readonly usesSubagent?: boolean;
  /** Wait for this file before the run. */
  readonly waitFor?: string;
  /** Report a tick every 20 ms. */
  readonly isTicking?: boolean;
}

/** Runs the scenario, or resumes it when a run exists. */
export async function run(input: RunInput): Promise<void> {
  const { step, count } = killingStep(input.killAt);
  const stepped: Step = async (name) => {
    step(name);
    if (input.reportsSteps === true) report({ passed: name, at: count() });
    if (input.die?.at === name) await die(input.die.of);
    if (input.hold?.at !== name) return;
    report({ holding: name });
    await waitForFile(input.hold.until);
  };
  if (input.waitFor !== undefined) {
    report({ waiting: input.waitFor });
    await waitForFile(input.waitFor);
  }
  const approve = async ({ id }: { readonly id: string }) => {
    report({ asked: id });
    await stepped("approve: before");
    await stepped("approve: after");
    return { isAllowed: true };
  };
  const approval = input.needsApproval === true ? { approve } : {};
  const scenario = await openScenario(input.folder, {
    step: stepped,
    onEvent: (event) => report({ event }),
    onReserved: (reserved) => report({ reserved }),
    ...approval,
    ...(input.usesSubagent === true ? { subagents: true } : {}),
  });
  const timer = input.isTicking === true ? setInterval(() => report({ tick: true }), 20) : undefined;
  const reasons = await Promise.all(
    (input.sessions ?? [session]).map((id) => runSession(scenario, id, input.hasGoal === true)),
  );
  clearInterval(timer);
  report({ reason: reasons.join(" "), steps: count() });
  await scenario.runtime.stores.close();
}

type Death = "memory" | "exception" | "rejection";

/** Ends the process as a faulty plugin can. */
async function die(of: Death): Promise<void> {
  if (of === "exception")
    setImmediate(() => {
      throw new Error("a plugin threw");
    });
  else if (of === "rejection") void Promise.reject(new Error("a plugin rejected"));
  else for (const all: number[][] = []; ; ) all.push(Array.from({ length: 100_000 }, (_, n) => n + all.length));
  await new Promise(() => undefined);
}

async function runSession({ runtime }: Scenario, id: string, hasGoal: boolean): Promise<string> {
  const { runs } = await runtime.stores.sessions.load(id);
  const startRun = () => (hasGoal ? runtime.runWithGoal(id, prompt, goal) : runtime.run(id, prompt));
  const run = runs.length === 0 ? startRun() : await runtime.resume(id);
  const { reason, problem } = await run.result;
  return problem === undefined ? reason : `${reason}: ${problem}`;
}
