import { defaultPolicy, type Policy } from "@sheepdog/guardian";
import { createEventBus, type EventBus } from "../events/event-bus.ts";
import { createOutbox } from "../events/outbox.ts";
import type { Gate } from "../gate/gate.ts";
import { checkGoal, type Goal } from "../goals/goal.ts";
import type { Judge } from "../goals/judge.ts";
import { attachRunLog } from "../logs/attach-run-log.ts";
import type { RunContext } from "../loop/run-context.ts";
import { type Clock, machineClock, nowOf } from "../protocol/clock.ts";
import type { AgentEvent } from "../protocol/events.ts";
import type { Usage } from "../protocol/messages.ts";
import type { Run } from "../protocol/run.ts";
import { type AgentSettings, checkLimits, defaultSettings, settingsOf } from "../protocol/settings.ts";
import type { Model } from "../provider/model.ts";
import { thisProcess } from "../stores/holder.ts";
import { memoryStores } from "../stores/memory-stores.ts";
import type { Holder, SavedRun, Stores } from "../stores/stores.ts";
import type { Tool } from "../tools/tool.ts";
import { withLimits } from "./create-run.ts";
import { createRunControls, withShared } from "./run-controls.ts";
import { executeRun, type Started } from "./run-lifecycle.ts";
import { createSessionQueue, type SessionQueue } from "./session-queue.ts";
import type { Parent, TellUsage } from "./subagents.ts";

/** What a runtime is made of. Only a model is needed. */
export interface RuntimeOptions {
  /** The model, then those to fall back to. */
  readonly models: readonly Model[];
  readonly tools?: readonly Tool[];
  /** Gives the model a tool that starts subagents with the same tools. */
  readonly subagents?: boolean;
  /** Absolute; where tools work. */
  readonly workspace?: string;
  /** What the model is told of itself and its work. */
  readonly system?: string;
  readonly settings?: Partial<AgentSettings>;
  readonly policy?: Policy;
  readonly gate?: Gate;
  /** Says whether a run with a goal has reached it; by the goal's criteria where nothing else is given. */
  readonly judge?: Judge;
  readonly stores?: Stores;
  /** A person is watching: then `approve` is asked. */
  readonly attended?: boolean;
  readonly approve?: NonNullable<RunContext["approve"]>;
  /** What a request costs, in nano-dollars; null where nobody knows. By listed prices where nothing else is said. */
  readonly price?: (model: string, usage: Usage) => number | null;
  readonly clock?: Clock;
  /** Where run logs go, and how much they hold: 1 a summary, 2 turns and the guardian, 3 calls as well. None are written unless it is said. */
  readonly log?: { readonly dir: string; readonly level: 1 | 2 | 3 };
}

/** Runs agents. */
export interface Runtime {
  readonly bus: EventBus;
  readonly stores: Stores;
  /** Works a prompt off in a session, which is made if there is none of that id. */
  run(sessionId: string, prompt: string): Run;
  /** The same until the judge says that the goal is reached. */
  runWithGoal(sessionId: string, prompt: string, goal: Goal): Run;
  /** The same by a plan of several steps, where the runtime has a director; without one it is a plan of one step. */
  runWithDirector(sessionId: string, prompt: string, goal: Goal): Run;
  /** Goes on with a session: with the run that a process left unfinished when it ended, or with a new one after a run that was stopped. Rejects where there is no such session. */
  resume(sessionId: string): Promise<Run>;
}

/** Makes a runtime. It keeps its sessions in memory unless it is given stores. */
export function createRuntime(options: RuntimeOptions): Runtime {
  if (options.models.length === 0) throw new Error("Expected at least one model, got none.");
  settingsOf(options.settings);
  checkLimits(options.policy ?? defaultPolicy);
  const clock = options.clock ?? machineClock;
  const stores = options.stores ?? memoryStores();
  const bus = createEventBus({ now: nowOf(clock) });
  const attended = options.attended ?? options.approve !== undefined;
  const ready: Ready = {
    ...options,
    attended,
    queue: createSessionQueue(),
    clock,
    stores,
    holder: thisProcess(),
    depth: 0,
  };
  const start = (sessionId: string, prompt: string, goal?: Goal) => {
    checkText("a session id", sessionId);
    checkText("a prompt", prompt);
    return startRun(ready, bus, {
      sessionId,
      title: prompt,
      prompt: { text: prompt, origin: "person" },
      ...(goal === undefined ? {} : { goal }),
    });
  };
  const startWithGoal = (sessionId: string, prompt: string, goal: Goal) => {
    checkGoal(goal);
    return start(sessionId, prompt, goal);
  };
  return {
    bus,
    stores,
    run: (sessionId, prompt) => start(sessionId, prompt),
    runWithGoal: startWithGoal,
    runWithDirector: startWithGoal,
    async resume(sessionId) {
      const last = (await stores.sessions.load(sessionId)).runs.at(-1);
      if (last === undefined)
        throw new Error(`Expected a session to go on with; there is none with the id ${sessionId}.`);
      const goal = last.goal === undefined ? {} : { goal: last.goal };
      const paid: Ready =
        last.billingSessionId === undefined ? ready : { ...ready, billingSessionId: last.billingSessionId };
      if (last.state === "running") {
        const prompt = last.isPromptPending === true ? ({ text: last.prompt, origin: "person" } as const) : undefined;
        return startRun(paid, bus, { sessionId, title: last.prompt, prompt, resumed: last, ...goal });
      }
      if (last.state === "completed")
        throw new Error(`The last run of ${sessionId} is complete (${last.reason}). Give it a new prompt to go on.`);
      return startRun(paid, bus, {
        sessionId,
        title: last.prompt,
        prompt: { text: "Go on.", origin: "automatic" },
        ...goal,
      });
    },
  };
}

function checkText(what: string, text: string): void {
  if (typeof text !== "string" || text.trim() === "")
    throw new TypeError(`Expected ${what}, got ${JSON.stringify(text)}.`);
}

/** The options with everything that is not said filled in. */
export type Ready = RuntimeOptions & {
  readonly clock: Clock;
  readonly stores: Stores;
  readonly holder: Holder;
  readonly queue: SessionQueue;
  /** How deep below the first run. */
  readonly depth: number;
  /** The session whose budget a subagent works on. */
  readonly billingSessionId?: string;
  /** Tells the runs above a subagent what is used below it. */
  readonly above?: TellUsage;
};

/** What a run is asked to do. */
export interface Order extends Pick<RunContext, "sessionId" | "title" | "prompt" | "goal"> {
  /** The run to go on with. */
  readonly resumed?: SavedRun;
}

function startRun(options: Ready, bus: EventBus, order: Order): Run {
  const { sessionId } = order;
  const runId = order.resumed?.runId ?? options.clock.newId("run");
  const place = { sessionId, runId };
  const cancelled = new AbortController();
  const steering: string[] = [];
  const outbox = createOutbox(bus, place);
  const policy = options.policy ?? defaultPolicy;
  const instructions = createRunControls(withLimits(policy, settingsOf(options.settings)), outbox);
  let isOver = false;
  let isHeard = order.resumed === undefined; // one that is resumed may turn out to be another's
  let closeLog: (() => void) | undefined;
  const before = bus.lastSeq(sessionId); // a run that is resumed may have ended in this very process once
  const over = new AbortController(); // whoever reads then reads what is left
  const billingSessionId = options.billingSessionId ?? sessionId;
  const start: Parent["start"] = ({ sessionId: childId, task, depth, tools, maxTurns, above }) => {
    const allowed =
      tools === undefined
        ? {}
        : {
            tools: (options.tools ?? []).filter((tool) => tools.includes(tool.name)),
            subagents: tools.includes("spawn"),
          };
    const settings = {
      ...options.settings,
      ...(maxTurns === undefined
        ? {}
        : { maxTurns: Math.min(maxTurns, options.settings?.maxTurns ?? defaultSettings.maxTurns) }),
    };
    const prompt = { text: task, origin: "person" } as const;
    const child = startRun(
      {
        ...options,
        ...allowed,
        settings,
        policy: withShared(policy, instructions.limits()),
        attended: false,
        depth,
        billingSessionId,
        above,
      },
      bus,
      { sessionId: childId, title: task, prompt },
    );
    instructions.follow(child);
    return child;
  };
  const started: Started = {
    ...order,
    runId,
    outbox,
    bus,
    signal: cancelled.signal,
    steering,
    onOpen() {
      isHeard = true;
      closeLog =
        options.log === undefined ? undefined : attachRunLog(bus, { ...options.log, ...place, isRedacted: true });
    },
    onBegun: (guard) => instructions.begin(guard),
    onOver() {
      isOver = true;
    },
  };
  const result = executeRun(options, start, started).finally(() => {
    isOver = true;
    over.abort();
    closeLog?.();
  });
  return {
    sessionId,
    runId,
    result,
    cancel: () => cancelled.abort(),
    steer(text) {
      if (isOver || !isHeard) return false;
      steering.push(text);
      return true;
    },
    control: (instruction) => !isOver && isHeard && !cancelled.signal.aborted && instructions.give(instruction),
    limits: () => instructions.limits(),
    // Each reader has its own, from the first event on as far as the bus keeps them.
    [Symbol.asyncIterator]: (): AsyncIterator<AgentEvent> =>
      bus.stream({ ...place, afterSeq: before, signal: over.signal }),
  };
}
