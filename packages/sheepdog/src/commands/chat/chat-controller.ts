import type { Run } from "@sheepdog/agent";
import type { DetectorName } from "@sheepdog/guardian";
import { newSessionId } from "../../compose/ids.ts";
import type { Agent, OpenedAgent } from "../../compose/open-agent.ts";
import { limitUnits } from "../../config/policy/limit-units.ts";
import { type ControlMessage, receiveMessages } from "../../control/index.ts";
import type { Home } from "../../home.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import type { Asking } from "./cards/asking.ts";
import { type ChatStore, chatStore } from "./chat-store.ts";
import { performCommand } from "./commands/perform-command.ts";
import { evidenceOf } from "./evidence-of.ts";
import { type Following, followRun } from "./follow-run.ts";
import { addToHistory } from "./history-file.ts";
import { openedSession } from "./opened-session.ts";
import type { Effect } from "./state/action.ts";
import { initialChat, type Place } from "./state/chat-state.ts";
import type { Entry } from "./state/entry.ts";
import { TYPING_MS } from "./state/reduce.ts";

/** What a chat is made of. */
export interface ChatOptions {
  readonly agent: Agent;
  readonly asking: Asking;
  readonly home: Home;
  /** Absolute: the workspace. */
  readonly cwd: string;
  readonly sessionId: string;
  readonly history: readonly string[];
  /** The same agent with another model. */
  readonly reopen: (model: string) => Promise<OpenedAgent>;
  /** Whether the screen may change while nothing happens. */
  readonly isAnimated: boolean;
}

/** A chat that goes on: everything it does to the world happens here. */
export interface Chat {
  readonly store: ChatStore;
  /** Opens a session and shows the end of what was said in it. */
  open(sessionId: string): Promise<void>;
  /** Lets somebody choose a session. */
  choose(): Promise<void>;
  /** Resolves when the person leaves; rejects where our own code breaks. */
  readonly left: Promise<void>;
  /** Ends what goes on in good order, and closes the stores. */
  close(): Promise<void>;
  /** Listens for the wish for an empty screen. */
  onClear(listener: () => void): void;
}

/** How long a run that is ended may take for it, when somebody wants to leave. */
const GOOD_ORDER_MS = 4_000;

/** Begins a chat in a session, which need not exist. */
export function startChat(options: ChatOptions): Chat {
  const { asking, home, cwd } = options;
  let { agent, sessionId } = options;
  let current: { readonly run: Run; readonly following: Following; readonly done: Promise<void> } | undefined;
  let changing = Promise.resolve();
  let runLimitNanoUsd: number | undefined;
  let isHistoryBroken = false;
  let clear = () => {};
  let leave = () => {};
  let fail = (_: unknown) => {};
  const left = new Promise<void>((resolve, reject) => {
    leave = resolve;
    fail = reject;
  });

  const store = chatStore(initialChat(placeOf(), options.history), (effect) => void perform(effect).catch(fail));
  const { dispatch } = store;
  answerWhenPaused(store);
  const say = (text: string, tone: "plain" | "dim" | "warning" = "plain") =>
    dispatch({ type: "say", entry: said(text, tone) });
  asking.join({
    show(card) {
      current?.following.flush(); // what came before it stands above it
      dispatch({ type: "card", card, at: Date.now() });
    },
    withdraw: (id) => dispatch({ type: "card-gone", id, at: Date.now() }),
    allowed: (title) => say(`Allowed, as you said before: ${title}`, "dim"),
  });

  function placeOf(): Place {
    return { sessionId, model: agent.model, maxContextTokens: agent.maxContextTokens, limits: agent.policy.limits };
  }

  async function perform(effect: Effect): Promise<void> {
    switch (effect.type) {
      case "prompt":
        return prompt(effect.text);
      case "steer":
        if (current?.run.steer(effect.text) === true)
          return say(`You said, and it is heard at the end of this turn: ${plainText(effect.text)}`, "dim");
        dispatch({ type: "queued", text: effect.text });
        return dispatch({ type: "hint", text: "The run is about to end: it is queued instead." });
      case "stop":
        return current?.run.cancel();
      case "answer":
        return asking.answer(effect.id, effect.answer);
      case "command":
        return change(() => command(effect));
      case "open":
        return change(() => (store.get().run === undefined ? open(effect.sessionId) : Promise.resolve()));
      case "show-evidence":
        return showEvidence();
      case "mute":
        return mute(effect);
      case "remember":
        return remember(effect.text);
      case "leave":
        return leave();
      default:
        return effect satisfies never;
    }
  }

  /** One after the other: each may put another session, another model or a run in the place of what was there before. */
  async function change(how: () => Promise<void>): Promise<void> {
    changing = changing.then(how);
    await changing;
  }

  async function prompt(text: string): Promise<void> {
    if (store.get().run !== undefined) return dispatch({ type: "queued", text });
    dispatch({ type: "run-began", at: Date.now() }); // at once: the next key may be there to stop it
    await change(() => start(() => agent.runtime.run(sessionId, text)));
  }

  async function again(text?: string): Promise<void> {
    if (store.get().run !== undefined) return;
    dispatch({ type: "run-began", at: Date.now() });
    if (text !== undefined) return start(() => agent.runtime.run(sessionId, text));
    await start(() => agent.runtime.resume(sessionId));
    const runId = current?.run.runId ?? "";
    const nanoUsd = await spentBefore(runId);
    if (current?.run.runId === runId) dispatch({ type: "spent-before", nanoUsd }); // it may have ended meanwhile
  }

  /** Resolves when the run goes on. */
  async function start(begin: () => Run | Promise<Run>): Promise<void> {
    const run = await begin();
    const following = followRun(run, dispatch);
    const done = finish(run, following);
    current = { run, following, done };
    if (runLimitNanoUsd !== undefined) run.control(runLimit(runLimitNanoUsd));
    if (store.get().run?.isStopping === true) run.cancel(); // somebody was quicker
    done.catch(fail);
  }

  async function finish(run: Run, { result }: Following): Promise<void> {
    const ticking = options.isAnimated
      ? setInterval(() => dispatch({ type: "tick", at: Date.now() }), 1_000)
      : undefined;
    const stopObeying = receiveMessages(home, run, {
      onMessage: (message) => say(`From another terminal: ${wordsOf(message)}`, "dim"),
    });
    try {
      const ended = await result;
      const sessionNanoUsd = await spent();
      current = undefined; // what follows may begin another
      dispatch({ type: "run-ended", result: ended, sessionNanoUsd });
    } finally {
      clearInterval(ticking);
      stopObeying();
    }
  }

  async function spent(): Promise<number> {
    return (await agent.runtime.stores.costs.totals(sessionId, Date.now())).session;
  }

  /** A run that broke off has its own part in the books already, and tells of it again. */
  async function spentBefore(runId: string): Promise<number> {
    const runs = await agent.runtime.stores.costs.sums("run", { sessionId });
    return runs.reduce((sum, { key, costNanoUsd }) => (key === runId ? sum : sum + costNanoUsd), 0);
  }

  async function command({ name, argument }: Extract<Effect, { type: "command" }>): Promise<void> {
    await performCommand(name, argument, {
      store,
      say,
      cwd,
      stores: agent.runtime.stores,
      sessionId,
      run: current?.run,
      open,
      choose,
      mute,
      leave,
      clear: () => clear(),
      openNew: () => open(newSessionId()),
      again,
      setRunLimit(nanoUsd) {
        runLimitNanoUsd = nanoUsd;
        const { limit, stop, warn } = runLimit(nanoUsd);
        if (current?.run.control(runLimit(nanoUsd)) !== true)
          dispatch({ type: "limit-changed", limit, to: { stop, warn } });
      },
      changeModel,
    });
  }

  async function changeModel(model: string): Promise<void> {
    const opened = await options.reopen(model);
    if (!opened.ok) return say(opened.problems.join(" "), "warning");
    const former = agent;
    agent = opened.agent;
    await former.close();
    say(`From now on ${agent.model} is asked.`);
    dispatch({
      type: "opened",
      place: placeOf(),
      sessionNanoUsd: await spent(),
      contextTokens: store.get().meter.contextTokens,
      entries: [],
    });
  }

  async function open(wanted: string): Promise<void> {
    if (wanted !== sessionId) asking.forget();
    sessionId = wanted;
    const { entries, contextTokens } = await openedSession(agent.runtime.stores, sessionId, cwd);
    dispatch({ type: "opened", place: placeOf(), sessionNanoUsd: await spent(), contextTokens, entries });
  }

  async function choose(): Promise<void> {
    const all = (await agent.runtime.stores.sessions.list()).filter(
      ({ lastRun }) => lastRun?.billingSessionId === undefined,
    ); // subagents have their own
    if (all.length === 0) return dispatch({ type: "hint", text: "No session is kept yet." });
    dispatch({ type: "sessions", all });
  }

  async function showEvidence(): Promise<void> {
    const { interventions, entries, live } = store.get();
    const intervention = interventions.at(-1);
    if (intervention === undefined) return;
    const seen = [...entries.flatMap((entry) => (entry.type === "call" ? [entry] : [])), ...live.calls];
    const { messages } = await agent.runtime.stores.sessions.load(sessionId);
    dispatch({ type: "evidence", intervention, calls: evidenceOf(intervention, messages, seen) });
  }

  function mute({ detector, tool }: { readonly detector?: string; readonly tool?: string }): void {
    const what = detector as DetectorName | undefined; // it comes from an intervention
    const isHeard = current?.run.control({
      type: "mute",
      ...(what === undefined ? {} : { detector: what }),
      ...(tool === undefined ? {} : { tool }),
    });
    const whom = tool === undefined ? "" : ` about ${plainText(tool)}`;
    if (isHeard === true) say(`Muted: ${detector ?? "the guardian"} says nothing more${whom} in this run.`, "dim");
    else dispatch({ type: "hint", text: "No run goes on: there is nothing to mute." });
  }

  async function remember(text: string): Promise<void> {
    const problem = await addToHistory(home.historyFile, text);
    if (problem !== undefined && !isHistoryBroken) say(problem, "warning");
    isHistoryBroken ||= problem !== undefined;
  }

  return {
    store,
    open,
    choose,
    left,
    async close() {
      current?.run.cancel();
      await Promise.race([current?.done, new Promise((resolve) => setTimeout(resolve, GOOD_ORDER_MS).unref())]);
      await agent.close();
    },
    onClear(listener) {
      clear = listener;
    },
  };
}

/** A card takes keys once nobody is in the middle of typing. */
function answerWhenPaused({ get, dispatch, subscribe }: ChatStore): void {
  let timer: NodeJS.Timeout | undefined;
  subscribe(() => {
    const { cards, isCardReady, keyAt } = get();
    clearTimeout(timer);
    if (cards.length > 0 && !isCardReady)
      timer = setTimeout(() => dispatch({ type: "paused" }), Math.max(0, keyAt + TYPING_MS - Date.now()));
  });
}

/** What a run may cost; it is warned at four fifths of it. */
function runLimit(nanoUsd: number): {
  readonly type: "limit";
  readonly limit: "run-cost";
  readonly stop: number;
  readonly warn: number;
} {
  return { type: "limit", limit: "run-cost", stop: nanoUsd, warn: Math.round(nanoUsd * 0.8) };
}

function wordsOf(order: ControlMessage): string {
  switch (order.type) {
    case "stop":
      return "stop.";
    case "steer":
      return plainText(order.text);
    case "limit":
      return `the limit ${order.limit} is now ${"stop" in order ? limitUnits[order.limit].show(order.stop) : `${limitUnits[order.limit].show(order.more)} more`}.`;
    default:
      return order satisfies never;
  }
}

/** Words of the chat itself. */
export function said(text: string, tone: "plain" | "dim" | "warning" = "plain"): Entry {
  return { type: "said", tone, lines: text.split("\n") };
}
