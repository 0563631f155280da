import type { EventBus, Run } from "@sheepdog/agent";
import type { DetectorName } from "@sheepdog/guardian";
import { newSessionId } from "../../compose/ids.ts";
import type { Agent, OpenedAgent } from "../../compose/open-agent.ts";
import type { OpenQuestions } from "../../control/index.ts";
import type { Home } from "../../home.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { plainBlock } from "../../render/timeline/plain-lines.ts";
import type { CardAsker } from "./cards/card-asker.ts";
import { createChatRunner } from "./chat-runner.ts";
import { type ChatStore, chatStore } from "./chat-store.ts";
import { performCommand } from "./commands/perform-command.ts";
import { evidenceCalls } from "./evidence-calls.ts";
import { addToHistory } from "./history-file.ts";
import { loadSessionView } from "./session-view.ts";
import type { ChatEffect } from "./state/chat-action.ts";
import type { ChatEntry } from "./state/chat-entry.ts";
import { initialChat, type OpenSession } from "./state/chat-state.ts";
import { TYPING_MS } from "./state/reduce.ts";
import { runTypedCommand, typedCommand } from "./typed-command.ts";

/** What a chat needs. */
export interface ChatOptions {
  readonly agent: Agent;
  readonly asker: CardAsker;
  /** The questions that other processes can answer. */
  readonly questions?: OpenQuestions;
  readonly home: Home;
  /** The workspace, absolute. */
  readonly cwd: string;
  readonly sessionId: string;
  readonly history: readonly string[];
  /** Opens the same agent changed; undefined if nothing would change. */
  readonly reopen: (change: AgentChange) => Promise<OpenedAgent | undefined>;
  /** Starts to tell people about a run; returns a function that stops it. Absent: there are no channels. */
  readonly notify?: ((run: Run, bus: EventBus) => () => void) | undefined;
  /** Whether the screen may change while nothing happens. */
  readonly isAnimated: boolean;
}

/** Another model for the agent, or what a session ran with. */
export type AgentChange = { readonly model: string } | { readonly sessionId: string };

/** A chat. All its effects happen here; the store holds the state. */
export interface Chat {
  readonly store: ChatStore;
  /** Opens a session and shows its last runs. */
  open(sessionId: string): Promise<void>;
  /** Lets the user choose a session from a list. */
  choose(): Promise<void>;
  /** Resolves when the user leaves; rejects on an error in our own code. */
  readonly left: Promise<void>;
  /** Cancels the current run and closes the stores. */
  close(): Promise<void>;
  /** Sets the function that clears the screen. */
  onClear(listener: () => void): void;
}

/** Starts a chat in a new or an existing session. */
export function startChat(options: ChatOptions): Chat {
  const { asker, home, cwd } = options;
  let { agent, sessionId } = options;
  let pendingChange = Promise.resolve();
  let hasHistoryProblem = false;
  /** Stops the command that the user typed. */
  let typed: AbortController | undefined;
  let clear = () => {};
  let leave = () => {};
  let fail = (_: unknown) => {};
  const left = new Promise<void>((resolve, reject) => {
    leave = resolve;
    fail = reject;
  });

  const store = chatStore(initialChat(openSession(), options.history), (effect) => void perform(effect).catch(fail));
  const { dispatch } = store;
  enableCardWhenPaused(store);
  const say = (text: string, tone: "plain" | "dim" | "warning" = "plain") =>
    dispatch({ type: "say", entry: chatMessage(text, tone) });
  const runner = createChatRunner({
    store,
    home,
    questions: options.questions,
    bus: () => agent.runtime.bus,
    say,
    notify: options.notify,
    sessionCost,
    isAnimated: options.isAnimated,
    fail,
  });
  asker.connect({
    show(card) {
      runner.flush(); // shows earlier events above the card
      dispatch({ type: "card", card, at: Date.now() });
    },
    withdraw: (id) => dispatch({ type: "card-withdrawn", id, at: Date.now() }),
    allowed: (title) => say(`Allowed, because you chose always: ${title}`, "dim"),
    say: (sentence) => say(plainText(sentence), "dim"),
  });

  function openSession(): OpenSession {
    return { sessionId, model: agent.model, maxContextTokens: agent.maxContextTokens, limits: agent.policy.limits };
  }

  async function perform(effect: ChatEffect): Promise<void> {
    switch (effect.type) {
      case "prompt":
        return prompt(effect.text);
      case "steer":
        return steer(effect.text);
      case "stop":
        typed?.abort();
        return runner.run?.cancel();
      case "answer":
        return asker.answer(effect.id, effect.answer);
      case "command":
        return inOrder(() => runCommand(effect));
      case "open":
        return inOrder(async () => {
          if (store.get().run === undefined) await openSaved(effect.sessionId);
        });
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

  /** Runs changes one after the other: each may replace the session, the model or the run. */
  async function inOrder(change: () => Promise<void>): Promise<void> {
    pendingChange = pendingChange.then(change);
    await pendingChange;
  }

  async function prompt(text: string): Promise<void> {
    const command = typedCommand(text);
    if (command !== undefined) return inOrder(() => runCommandOfUser(command));
    if (store.get().run !== undefined) return dispatch({ type: "queued", text });
    dispatch({ type: "run-started", at: Date.now() }); // at once: the next key may already stop the run
    await inOrder(() => runner.start(() => agent.runtime.run(sessionId, text)));
  }

  /** A command of the user is no part of the conversation. */
  async function runCommandOfUser(command: string): Promise<void> {
    if (command === "") return dispatch({ type: "hint", text: "Type a command after the !, as in: !git status" });
    if (store.get().run !== undefined)
      return dispatch({ type: "hint", text: "The command was not run: a run is working. Esc stops the run." });
    typed = new AbortController();
    say(`$ ${plainText(command)}`);
    say(
      plainBlock(
        await runTypedCommand(command, { ...agent.shell, approve: asker.approve, workspace: cwd }, typed.signal),
      ),
      "dim",
    );
    typed = undefined;
  }

  async function steer(text: string): Promise<void> {
    if (typedCommand(text) !== undefined) return prompt(text);
    const { run } = runner;
    const problem = await run?.steeringProblem(text);
    if (problem !== undefined) {
      say(problem, "warning"); // the text is not lost: Up shows it at the prompt
      return;
    }
    if ((await run?.steer(text)) === true) {
      say(`Sent. The agent reads it at the end of this turn: ${plainText(text)}`, "dim");
      return;
    }
    dispatch({ type: "queued", text });
    dispatch({ type: "hint", text: "The run is about to end, so the message was queued." });
  }

  /** Resumes the last run, or runs a prompt again. */
  async function retry(text?: string): Promise<void> {
    if (store.get().run !== undefined) return;
    dispatch({ type: "run-started", at: Date.now() });
    if (text !== undefined) return runner.start(() => agent.runtime.run(sessionId, text));
    await runner.start(() => agent.runtime.resume(sessionId));
    const runId = runner.run?.runId ?? "";
    const nanoUsd = await costOfOtherRuns(runId);
    if (runner.run?.runId === runId) dispatch({ type: "earlier-cost", nanoUsd }); // the run may have ended meanwhile
  }

  async function sessionCost(): Promise<number> {
    return (await agent.runtime.stores.costs.totals(sessionId, Date.now())).session;
  }

  /** The ledger already contains the cost of a resumed run, and its events report that cost again. */
  async function costOfOtherRuns(runId: string): Promise<number> {
    const runs = await agent.runtime.stores.costs.sums("run", { sessionId });
    return runs.reduce((sum, { key, costNanoUsd }) => (key === runId ? sum : sum + costNanoUsd), 0);
  }

  async function runCommand({ name, argument }: Extract<ChatEffect, { type: "command" }>): Promise<void> {
    await performCommand(name, argument, {
      store,
      say,
      cwd,
      stores: agent.runtime.stores,
      sessionId,
      run: runner.run,
      open,
      choose,
      mute,
      leave,
      clear: () => clear(),
      openNew: () => open(newSessionId()),
      retry,
      setRunLimit: runner.setRunLimit,
      changeModel,
      mcp: agent.mcp?.servers,
      insert: (text) => dispatch({ type: "insert", text }),
    });
  }

  async function changeModel(model: string): Promise<void> {
    if (!(await changeAgent({ model }))) return;
    say(`The model is now ${agent.model}.`);
    for (const note of agent.addressNotes) say(plainText(note), "warning");
    dispatch({
      type: "opened",
      session: openSession(),
      sessionNanoUsd: await sessionCost(),
      contextTokens: store.get().meter.contextTokens,
      entries: [],
    });
  }

  /** Replaces the agent. False, and said, if that fails. */
  async function changeAgent(change: AgentChange): Promise<boolean> {
    const opened = await options.reopen(change);
    if (opened === undefined) return true;
    if (!opened.ok) {
      say(opened.problems.join(" "), "warning");
      return false;
    }
    const previousAgent = agent;
    agent = opened.agent;
    await previousAgent.close();
    return true;
  }

  /** Opens a session that ran before, with what it ran with. */
  async function openSaved(id: string): Promise<void> {
    const { notes } = agent;
    if (!(await changeAgent({ sessionId: id }))) return;
    await open(id);
    if (agent.notes !== notes)
      for (const note of [...agent.addressNotes, ...agent.notes]) say(plainText(note), "warning");
  }

  async function open(newId: string): Promise<void> {
    if (newId !== sessionId) asker.resetAllowed();
    sessionId = newId;
    const { entries, contextTokens } = await loadSessionView(agent.runtime.stores, sessionId, cwd);
    dispatch({ type: "opened", session: openSession(), sessionNanoUsd: await sessionCost(), contextTokens, entries });
  }

  async function choose(): Promise<void> {
    const sessions = await agent.runtime.stores.sessions.list();
    const withoutSubagents = sessions.filter(({ lastRun }) => lastRun?.billingSessionId === undefined);
    if (withoutSubagents.length === 0) return dispatch({ type: "hint", text: "No session is saved yet." });
    dispatch({ type: "sessions", all: withoutSubagents });
  }

  async function showEvidence(): Promise<void> {
    const { interventions, entries, held, live } = store.get();
    const intervention = interventions.at(-1);
    if (intervention === undefined) return;
    const printedCalls = entries.flatMap((entry) => {
      if (entry.type === "repeated") return [entry.item];
      return entry.type === "call" ? [entry] : [];
    });
    const shownCalls = [...printedCalls, ...(held === undefined ? [] : [held.item]), ...live.calls];
    const { messages } = await agent.runtime.stores.sessions.load(sessionId);
    dispatch({ type: "evidence", intervention, calls: evidenceCalls(intervention, messages, shownCalls) });
  }

  function mute({ detector, tool }: { readonly detector?: string; readonly tool?: string }): void {
    const detectorName = detector as DetectorName | undefined; // it comes from an intervention
    const isMuted = runner.run?.control({
      type: "mute",
      ...(detectorName === undefined ? {} : { detector: detectorName }),
      ...(tool === undefined ? {} : { tool }),
    });
    if (isMuted !== true) {
      dispatch({ type: "hint", text: "There is nothing to mute: no run is running." });
      return;
    }
    const scope = tool === undefined ? "" : ` for ${plainText(tool)}`;
    say(`Muted ${detector ?? "the guardian"}${scope} in this run.`, "dim");
  }

  async function remember(text: string): Promise<void> {
    const problem = await addToHistory(home.historyFile, text);
    if (problem !== undefined && !hasHistoryProblem) say(problem, "warning");
    hasHistoryProblem ||= problem !== undefined;
  }

  return {
    store,
    open,
    choose,
    left,
    async close() {
      typed?.abort();
      await runner.close();
      await agent.close();
    },
    onClear(listener) {
      clear = listener;
    },
  };
}

/** Lets the first card take keys once the user has stopped typing. */
function enableCardWhenPaused({ get, dispatch, subscribe }: ChatStore): void {
  let timer: NodeJS.Timeout | undefined;
  subscribe(() => {
    const { cards, isCardReady, keyAt } = get();
    clearTimeout(timer);
    if (cards.length > 0 && !isCardReady)
      timer = setTimeout(() => dispatch({ type: "paused" }), Math.max(0, keyAt + TYPING_MS - Date.now()));
  });
}

/** A message of the chat itself. */
export function chatMessage(text: string, tone: "plain" | "dim" | "warning" = "plain"): ChatEntry {
  return { type: "message", tone, lines: text.split("\n") };
}
