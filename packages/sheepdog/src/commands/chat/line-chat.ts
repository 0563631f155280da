import { createInterface } from "node:readline";
import { exitCode, signalExitCode } from "../../exit-code.ts";
import { type Io, write } from "../../io.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { cut } from "../../render/terminal/width.ts";
import type { Card } from "./cards/card.ts";
import type { Chat } from "./chat-controller.ts";
import { handleCrashes } from "./crash-handler.ts";
import { lineKeys } from "./line-keys.ts";
import type { ChatState } from "./state/chat-state.ts";
import { matchingSessions } from "./state/sessions-keys.ts";
import { cardView } from "./view/card-view.ts";
import { entryLines } from "./view/entry-lines.ts";
import { footer } from "./view/footer.ts";
import { symbolsFor, type ViewOptions } from "./view/view-options.ts";

const ruleHelp = "Answer w to write the rule and allow the call; any other line goes back.";
const answerHelp: Readonly<Record<Card["type"], string>> = {
  approval: "Answer y, a or n, or d and a reason.",
  question: "Answer with a number or in words; an empty line gives no answer.",
  run: "Answer s (stop), c (continue), or t and a message for the agent.",
};

/**
 * The chat for a terminal that cannot be drawn on. Finished entries are printed line by line, and a typed line is a
 * prompt or an answer. Resolves with the exit code.
 */
export async function lineChat(chat: Chat, io: Io, resume: () => string | undefined): Promise<number> {
  const { store } = chat;
  const options: ViewOptions = {
    style: styleFor(io.stdout, io.env),
    ...symbolsFor(io.env),
    columns: columnsOf(io.stdout, io.env),
    rows: 1_000,
  };
  let shownState: ChatState | undefined;
  let end = (_: number) => {};
  let fail = (_: unknown) => {};
  const ended = new Promise<number>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  let writing = Promise.resolve();
  const print = (text: string) => {
    writing = writing.then(() => write(io.stdout, text)).catch(fail);
  };
  const printNew = () => {
    const state = store.get();
    const text = newText(shownState, state, options);
    shownState = state;
    if (text !== "") print(text);
  };

  // The stdin of a terminal is Node's own stream.
  const lines = createInterface({ input: io.stdin as unknown as NodeJS.ReadStream, terminal: false });
  lines.on("line", (line) => {
    store.dispatch({ type: "paused" }); // a complete line is never typed by accident
    const state = store.get();
    const keys = lineKeys(state, line);
    for (const key of keys ?? []) store.dispatch({ type: "key", key, at: Date.now() });
    if (keys === undefined) {
      store.dispatch({ type: "queued", text: line.trim() });
      const isRunCard = state.cards[0]?.type === "run";
      const waiting = isRunCard ? "the run still waits" : "the call still waits";
      const help = answerHelp[isRunCard ? "run" : "approval"];
      store.dispatch({ type: "hint", text: `The line was queued; ${waiting}. ${help}` });
    }
  });
  lines.on("close", () => end(exitCode.done));
  const stopListening = io.onInterrupt((signal) => {
    if (signal === "SIGINT") store.dispatch({ type: "key", key: { type: "press", name: "ctrl-c" }, at: Date.now() });
    else end(signalExitCode(signal));
  });
  const crashes = handleCrashes(resume, () => {});
  chat.left.then(() => end(exitCode.done), crashes.crash);
  const unsubscribe = store.subscribe(printNew);
  print("Type a prompt and press Enter. /help lists the commands, Ctrl-D leaves.\n");
  printNew();
  try {
    return await ended;
  } finally {
    unsubscribe();
    crashes.stop();
    stopListening();
    lines.close();
    await writing;
  }
}

/** The text to print for the difference between two states. */
function newText(previous: ChatState | undefined, state: ChatState, options: ViewOptions): string {
  const [card] = state.cards;
  const isNewCard = card !== undefined && card.id !== previous?.cards[0]?.id;
  const isRuleShown = card !== undefined && state.ruleShownOn === card.id && previous?.ruleShownOn !== card.id;
  const isNewHint = state.hint !== undefined && state.hint !== previous?.hint;
  const isNewPanel = state.panel !== undefined && state.panel !== previous?.panel;
  const isReady =
    state.run === undefined && state.panel === undefined && (previous === undefined || previous.run !== undefined);
  const lines = [
    ...state.entries.slice(previous?.entries.length ?? 0).flatMap((entry) => entryLines(entry, options)),
    ...(isNewHint ? [state.hint] : []),
    ...(isNewCard ? cardLines(card, state, options) : []),
    ...(isRuleShown && card.type === "approval" ? [`The rule: ${plainText(card.rule ?? "")}`, ruleHelp] : []),
    ...(isNewPanel ? panelLines(state) : []),
    ...(isReady ? [footer(state, options)] : []),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function cardLines(card: Card, state: ChatState, options: ViewOptions): readonly string[] {
  const { lines } = cardView(card, { ...state, isCardReady: false }, options);
  const rule = card.type === "approval" && card.rule !== undefined ? [" r shows a rule for such calls."] : [];
  return [...lines.slice(0, -1), [answerHelp[card.type], ...rule].join("")];
}

/** The list of sessions. A line terminal has no selection, so the user types an id. */
function panelLines({ panel }: ChatState): readonly string[] {
  if (panel?.type !== "sessions") return [];
  const sessions = matchingSessions(panel).slice(0, 20);
  return [
    ...sessions.map(({ sessionId, lastRun }) => `${sessionId}  ${cut(plainText(lastRun?.prompt ?? ""), 60)}`),
    "Type an id to continue that session.",
  ];
}
