import type { EventBus, Run } from "@sheepdog/agent";
import { limitUnits } from "../../config/policy/limit-units.ts";
import { type ControlMessage, type OpenQuestions, receiveMessages } from "../../control/index.ts";
import type { Home } from "../../home.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import type { ChatStore } from "./chat-store.ts";
import { followRun, type RunFollower } from "./follow-run.ts";

export interface ChatRunnerOptions {
  readonly store: ChatStore;
  readonly home: Home;
  /** The questions of the runs that other processes can answer. */
  readonly questions?: OpenQuestions | undefined;
  /** The events of the runtime in use, for other processes. */
  readonly bus: () => EventBus;
  /** Shows a message of the chat. */
  readonly say: (text: string, tone?: "plain" | "dim" | "warning") => void;
  /** Starts to tell people about a run; returns a function that stops it. Absent: there are no channels. */
  readonly notify?: ((run: Run, bus: EventBus) => () => void) | undefined;
  /** The cost of the open session so far, in nano-dollars. */
  readonly sessionCost: () => Promise<number>;
  /** Whether the screen may change while nothing happens. */
  readonly isAnimated: boolean;
  /** Reports an error in our own code. */
  readonly fail: (error: unknown) => void;
}

/** Starts and follows the runs of a chat, one at a time. */
export interface ChatRunner {
  /** The current run. */
  readonly run: Run | undefined;
  /** Resolves when the run has started. */
  start(createRun: () => Run | Promise<Run>): Promise<void>;
  /** Shows all events so far at once. */
  flush(): void;
  /** Sets the cost limit of the current run and of later runs; 0 removes it. */
  setRunLimit(nanoUsd: number): void;
  /** Cancels the current run and waits for its end, for a limited time. */
  close(): Promise<void>;
}

/** How long closing waits for the end of a run. */
const CLOSE_MS = 4_000;

/** Creates a runner without a run. */
export function createChatRunner(options: ChatRunnerOptions): ChatRunner {
  const { store, home, questions, bus, say, notify, sessionCost, isAnimated, fail } = options;
  const { dispatch } = store;
  let current: { readonly run: Run; readonly follower: RunFollower; readonly done: Promise<void> } | undefined;
  let runLimitNanoUsd: number | undefined;

  async function untilEnd(run: Run, { result }: RunFollower): Promise<void> {
    const ticking = isAnimated ? setInterval(() => dispatch({ type: "tick", at: Date.now() }), 1_000) : undefined;
    const stopReceiving = receiveMessages(home, run, {
      questions,
      bus: bus(),
      onMessage: (message) => {
        const text = controlMessageText(message);
        if (text !== undefined) say(`From another process: ${text}`, "dim");
      },
    });
    const stopNotifying = notify?.(run, bus()) ?? (() => {});
    try {
      const ended = await result;
      const sessionNanoUsd = await sessionCost();
      current = undefined; // the next action may start another run
      dispatch({ type: "run-ended", result: ended, sessionNanoUsd });
    } finally {
      clearInterval(ticking);
      stopNotifying();
      stopReceiving();
    }
  }

  return {
    get run() {
      return current?.run;
    },
    async start(createRun) {
      const run = await createRun();
      const follower = followRun(run, dispatch);
      const done = untilEnd(run, follower);
      current = { run, follower, done };
      if (runLimitNanoUsd !== undefined) run.control(runLimit(runLimitNanoUsd));
      if (store.get().run?.isStopping === true) run.cancel(); // the user stopped it before it started
      done.catch(fail);
    },
    flush: () => current?.follower.flush(),
    setRunLimit(nanoUsd) {
      runLimitNanoUsd = nanoUsd;
      const { limit, stop, warn } = runLimit(nanoUsd);
      if (current?.run.control(runLimit(nanoUsd)) !== true)
        dispatch({ type: "limit-changed", limit, to: { stop, warn } });
    },
    async close() {
      current?.run.cancel();
      await Promise.race([current?.done, new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())]);
    },
  };
}

/** The cost limit of a run; the guardian warns at four fifths of it. */
function runLimit(nanoUsd: number): {
  readonly type: "limit";
  readonly limit: "run-cost";
  readonly stop: number;
  readonly warn: number;
} {
  return { type: "limit", limit: "run-cost", stop: nanoUsd, warn: Math.round(nanoUsd * 0.8) };
}

/** Undefined for an answer: the question that it answers says so when it disappears. */
function controlMessageText(message: ControlMessage): string | undefined {
  switch (message.type) {
    case "stop":
      return "stop.";
    case "steer":
      return plainText(message.text);
    case "limit": {
      const { show } = limitUnits[message.limit];
      const amount = "stop" in message ? show(message.stop) : `${show(message.more)} more`;
      return `the limit ${message.limit} is now ${amount}.`;
    }
    case "mute":
    case "unmute": {
      const { episode, detector, tool } = message;
      const scope = [detector, episode === undefined ? undefined : `the episode ${episode}`]
        .filter(isText)
        .join(" and ");
      const forTool = tool === undefined ? "" : ` for ${plainText(tool)}`;
      return `${message.type} ${plainText(scope === "" ? "the guardian" : scope)}${forTool}.`;
    }
    case "approval":
    case "answer":
    case "reply":
      return undefined;
    default:
      return message satisfies never;
  }
}

function isText(value: string | undefined): value is string {
  return value !== undefined;
}
