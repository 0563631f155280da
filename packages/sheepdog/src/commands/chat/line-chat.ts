import { createInterface } from "node:readline";
import { exitCode, signalExitCode } from "../../exit-code.ts";
import { type Io, write } from "../../io.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { cut } from "../../render/terminal/width.ts";
import type { Card } from "./cards/card.ts";
import type { Chat } from "./chat-controller.ts";
import { lineKeys } from "./line-keys.ts";
import { watchCrashes } from "./on-crash.ts";
import type { ChatState } from "./state/chat-state.ts";
import { foundSessions } from "./state/sessions-keys.ts";
import { cardView } from "./view/card-view.ts";
import { entryLines } from "./view/entry-lines.ts";
import { footer } from "./view/footer.ts";
import { type Look, signsFor } from "./view/look.ts";

const answers = "Answer y, a, n, or d and why not.";

/** The same chat where nothing can be drawn: what is finished is written line by line, and a line that is typed is a prompt or an answer. Resolves with the exit code. */
export async function lineChat(chat: Chat, io: Io, resume: () => string | undefined): Promise<number> {
  const { store } = chat;
  const look: Look = {
    style: styleFor(io.stdout, io.env),
    ...signsFor(io.env),
    columns: columnsOf(io.stdout, io.env),
    rows: 1_000,
  };
  let before: ChatState | undefined;
  let end = (_: number) => {};
  let fail = (_: unknown) => {};
  const ended = new Promise<number>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  let writing = Promise.resolve();
  const say = (text: string) => {
    writing = writing.then(() => write(io.stdout, text)).catch(fail);
  };
  const show = () => {
    const now = store.get();
    const text = news(before, now, look);
    before = now;
    if (text !== "") say(text);
  };

  // The streams of a terminal are Node's own.
  const lines = createInterface({ input: io.stdin as unknown as NodeJS.ReadStream, terminal: false });
  lines.on("line", (line) => {
    store.dispatch({ type: "paused" }); // a whole line is meant
    const keys = lineKeys(store.get(), line);
    for (const key of keys ?? []) store.dispatch({ type: "key", key, at: Date.now() });
    if (keys === undefined) {
      store.dispatch({ type: "queued", text: line.trim() });
      store.dispatch({ type: "hint", text: `That is queued; the call still waits. ${answers}` });
    }
  });
  lines.on("close", () => end(exitCode.done));
  const stopListening = io.onInterrupt((signal) => {
    if (signal === "SIGINT") store.dispatch({ type: "key", key: { type: "press", name: "ctrl-c" }, at: Date.now() });
    else end(signalExitCode(signal));
  });
  const watch = watchCrashes(resume, () => {});
  chat.left.then(() => end(exitCode.done), watch.crash);
  const unsubscribe = store.subscribe(show);
  say('Type a prompt and press Enter; "/help" lists what else there is, Ctrl-D leaves.\n');
  show();
  try {
    return await ended;
  } finally {
    unsubscribe();
    watch.stop();
    stopListening();
    lines.close();
    await writing;
  }
}

/** What has come since the last time, as text. */
function news(before: ChatState | undefined, now: ChatState, look: Look): string {
  const finished = now.entries.slice(before?.entries.length ?? 0).flatMap((entry) => entryLines(entry, look));
  const [card] = now.cards;
  const asked = card !== undefined && card.id !== before?.cards[0]?.id ? cardLines(card, now, look) : [];
  const hint = now.hint !== undefined && now.hint !== before?.hint ? [now.hint] : [];
  const listed = now.panel !== undefined && now.panel !== before?.panel ? panelLines(now) : [];
  const isReady =
    now.run === undefined && now.panel === undefined && (before === undefined || before.run !== undefined);
  const lines = [...finished, ...hint, ...asked, ...listed, ...(isReady ? [footer(now, look)] : [])];
  return lines.map((line) => `${line}\n`).join("");
}

function cardLines(card: Card, state: ChatState, look: Look): readonly string[] {
  const hint =
    card.type === "approval" ? answers : "Answer with a number or in your own words; an empty line is no answer.";
  return [...cardView(card, { ...state, isCardReady: false }, look, look.rows).lines.slice(0, -1), hint];
}

/** Nothing can be chosen from here, so it is said how to get there. */
function panelLines({ panel }: ChatState): readonly string[] {
  if (panel?.type !== "sessions") return [];
  const found = foundSessions(panel).slice(0, 20);
  return [
    ...found.map(({ sessionId, lastRun }) => `${sessionId}  ${cut(plainText(lastRun?.prompt ?? ""), 60)}`),
    "Go on with one: type its id.",
  ];
}
