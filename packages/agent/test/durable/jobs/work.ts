import { goal, openScenario, prompt, type Scenario, session } from "../scenario.ts";
import { killingStep, report, type Step, waitForFile } from "../step.ts";

export interface WorkOrder {
  readonly folder: string;
  /** The sessions it works on at once; one where it is left out. */
  readonly sessions?: readonly string[];
  /** The step at which the process kills itself; none where it is left out. */
  readonly killAt?: number;
  /** Every step is told. */
  readonly isNaming?: boolean;
  /** Holds up everything that comes to a step until a file is there, and says so. */
  readonly hold?: { readonly at: string; readonly until: string };
  /** Dies at a step of something it has not foreseen. */
  readonly die?: { readonly at: string; readonly of: Death };
  /** A person is asked about every note, and says yes. */
  readonly isAsking?: boolean;
  /** The run has a goal. */
  readonly hasGoal?: boolean;
  /** The note is a subagent's. */
  readonly isSpawning?: boolean;
  /** A file that is waited for before anything is begun. */
  readonly waitFor?: string;
  /** Says something every 20 ms for as long as it can. */
  readonly isTicking?: boolean;
}

/** Works the scenario off, or goes on with it where there is something to go on with. */
export async function work(order: WorkOrder): Promise<void> {
  const { step, count } = killingStep(order.killAt);
  const stepped: Step = async (name) => {
    step(name);
    if (order.isNaming === true) report({ passed: name, at: count() });
    if (order.die?.at === name) await die(order.die.of);
    if (order.hold?.at !== name) return;
    report({ holding: name });
    await waitForFile(order.hold.until);
  };
  if (order.waitFor !== undefined) {
    report({ waiting: order.waitFor });
    await waitForFile(order.waitFor);
  }
  const approve = async ({ id }: { readonly id: string }) => {
    report({ asked: id });
    await stepped("approve: before");
    await stepped("approve: after");
    return { isAllowed: true };
  };
  const asking = order.isAsking === true ? { approve } : {};
  const scenario = await openScenario(order.folder, {
    step: stepped,
    onEvent: (event) => report({ event }),
    onReserved: (reserved) => report({ reserved }),
    ...asking,
    ...(order.isSpawning === true ? { subagents: true } : {}),
  });
  const timer = order.isTicking === true ? setInterval(() => report({ tick: true }), 20) : undefined;
  const reasons = await Promise.all(
    (order.sessions ?? [session]).map((id) => workOn(scenario, id, order.hasGoal === true)),
  );
  clearInterval(timer);
  report({ reason: reasons.join(" "), steps: count() });
  await scenario.runtime.stores.close();
}

type Death = "memory" | "exception" | "rejection";

/** What a plugin can do to the process it is in. */
async function die(of: Death): Promise<void> {
  if (of === "exception")
    setImmediate(() => {
      throw new Error("a plugin threw");
    });
  else if (of === "rejection") void Promise.reject(new Error("a plugin rejected"));
  else for (const all: number[][] = []; ; ) all.push(Array.from({ length: 100_000 }, (_, n) => n + all.length));
  await new Promise(() => undefined);
}

async function workOn({ runtime }: Scenario, id: string, hasGoal: boolean): Promise<string> {
  const { runs } = await runtime.stores.sessions.load(id);
  const begin = () => (hasGoal ? runtime.runWithGoal(id, prompt, goal) : runtime.run(id, prompt));
  const run = runs.length === 0 ? begin() : await runtime.resume(id);
  const { reason, problem } = await run.result;
  return problem === undefined ? reason : `${reason}: ${problem}`;
}
