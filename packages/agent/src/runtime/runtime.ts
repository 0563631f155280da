import { isNodeGoal } from "../director/node-goal.ts";
import { createEventBus, type EventBus } from "../events/event-bus.ts";
import { checkGoal } from "../goals/check-goal.ts";
import { machineClock } from "../protocol/clock.ts";
import type { Goal } from "../protocol/goal.ts";
import type { Run } from "../protocol/run.ts";
import { createRedact } from "../secrets/redact.ts";
import { createValueMask } from "../secrets/value-mask.ts";
import { boundedStores } from "../stores/bounded-stores.ts";
import { thisProcess } from "../stores/holder.ts";
import { memoryStores } from "../stores/memory-stores.ts";
import type { SavedRun, Stores } from "../stores/stores.ts";
import { checkOptions } from "./check-options.ts";
import { defaultRunPolicy } from "./policy-limits.ts";
import { directorContext } from "./run-director.ts";
import type { RunRequest } from "./run-request.ts";
import type { RuntimeContext, RuntimeOptions } from "./runtime-options.ts";
import { createSessionQueue } from "./session-queue.ts";
import { startRun } from "./start-run.ts";

/** Runs agents. */
export interface Runtime {
  readonly bus: EventBus;
  readonly stores: Stores;
  /** Runs a prompt in a session; a new id creates a new session. */
  run(sessionId: string, prompt: string): Run;
  /** Runs a prompt until the judge accepts the goal as reached. */
  runWithGoal(sessionId: string, prompt: string, goal: Goal): Run;
  /** The same by a plan: the model plans a graph of runs, which are executed and judged one by one. */
  runWithDirector(sessionId: string, prompt: string, goal: Goal): Run;
  /**
   * Continues a session: the run that a crashed process left, or a new run after one that was stopped. Rejects if there
   * is no such session, or its last run is complete.
   */
  resume(sessionId: string): Promise<Run>;
}

/** Creates a runtime. Without stores, sessions are stored in memory. Throws a sentence for options that cannot work. */
export function createRuntime(options: RuntimeOptions): Runtime {
  checkOptions(options);
  const clock = options.clock ?? machineClock;
  const stores = options.stores ?? memoryStores();
  const redact = createRedact(options.secrets);
  const bus = createEventBus({ now: () => clock.now(), redact, secrets: options.secrets ?? [] });
  const context: RuntimeContext = {
    ...options,
    clock,
    stores,
    bus,
    redact,
    maskValues: createValueMask(options.secrets ?? []).mask,
    attended: options.attended ?? (options.approve !== undefined || options.askAboutRun !== undefined),
    policy: options.policy ?? defaultRunPolicy,
    ...bashOf(options),
    queue: createSessionQueue(),
    holder: thisProcess(),
    depth: 0,
  };

  function request(sessionId: string, prompt: string): RunRequest {
    checkText("a session id", sessionId);
    checkText("a prompt", prompt);
    return { sessionId, title: prompt, prompt: { text: prompt, origin: "person" } };
  }

  function goalRequest(sessionId: string, prompt: string, goal: Goal): RunRequest {
    checkGoal(goal, options.judge === undefined ? { checks: options.checks ?? {} } : {});
    return { ...request(sessionId, prompt), goal };
  }

  return {
    bus,
    stores,
    run: (sessionId, prompt) => startRun(context, request(sessionId, prompt)),
    runWithGoal: (sessionId, prompt, goal) => startRun(context, goalRequest(sessionId, prompt, goal)),
    runWithDirector: (sessionId, prompt, goal) =>
      startRun(directorContext(context), { ...goalRequest(sessionId, prompt, goal), isDirected: true }),
    async resume(sessionId) {
      const lastRun = (await boundedStores(stores, clock).sessions.load(sessionId)).runs.at(-1);
      if (lastRun === undefined)
        throw new Error(`Expected a session to resume; there is none with the id ${sessionId}.`);
      return resumeAfter(context, sessionId, lastRun);
    },
  };
}

function bashOf({ tools = [] }: RuntimeOptions): Pick<RuntimeContext, "bash"> {
  const bash = tools.find(({ name, origin }) => name === "bash" && origin !== "external");
  return bash === undefined ? {} : { bash };
}

function resumeAfter(context: RuntimeContext, sessionId: string, lastRun: SavedRun): Run {
  const { state, reason, prompt: title, goal, isDirected, billingSessionId, isPromptPending } = lastRun;
  if (isNodeGoal(goal))
    throw new Error(`The session ${sessionId} belongs to a plan. To continue it, resume ${billingSessionId}.`);
  if (state === "completed")
    throw new Error(`The last run of ${sessionId} is complete (${reason}). Give the session a new prompt to continue.`);
  const request = {
    sessionId,
    title,
    ...(goal === undefined ? {} : { goal }),
    ...(isDirected === undefined ? {} : { isDirected }),
  };
  const payingContext = billingSessionId === undefined ? context : { ...context, billingSessionId };
  const resumeContext = isDirected === undefined ? payingContext : directorContext(payingContext);
  if (state !== "running")
    return startRun(resumeContext, { ...request, prompt: { text: "Continue.", origin: "automatic" } });
  const prompt = isPromptPending === true ? ({ text: title, origin: "person" } as const) : undefined;
  return startRun(resumeContext, { ...request, prompt, resumed: lastRun });
}

function checkText(what: string, text: string): void {
  if (typeof text !== "string" || text.trim() === "")
    throw new TypeError(`Expected ${what}, got ${JSON.stringify(text)}.`);
}
