import { render } from "ink";
import type { Chat } from "../chat-controller.ts";
import type { Drawing } from "../view/drawing.ts";
import type { ViewOptions } from "../view/view-options.ts";
import { createCanvas, eraseSequence, terminalSize } from "./canvas.ts";
import { ChatView } from "./chat-view.tsx";

/** A chat on the screen. */
export interface ChatWindow {
  /** Rejects where drawing breaks. */
  readonly broken: Promise<never>;
  /** Takes away what changes, and draws nothing more. */
  pause(): void;
  /** Draws again below whatever stands there now. */
  resume(): void;
  close(): void;
}

/** Terminals tell of every step while somebody pulls at their corner. */
const SETTLE_MS = 50;
/** ink keeps all that it has printed: after so many entries a new drawing begins, which has printed nothing. */
const MOST_KEPT = 500;
const home = "\u001b[H\u001b[J";

/** Draws a chat until it is closed. A window of another size is a new drawing: what is in the scrollback stays, the rest is drawn anew. */
export function openWindow(
  terminal: NodeJS.WriteStream,
  chat: Chat,
  lookOf: (columns: number, rows: number) => ViewOptions,
): ChatWindow {
  const canvas = createCanvas(terminal);
  let fail = (_: unknown) => {};
  const broken = new Promise<never>((_, reject) => {
    fail = reject;
  });
  let printed = 0;
  let drawn: Drawing = { lines: [] };
  let timer: NodeJS.Timeout | undefined;

  const draw = () => {
    const first = printed;
    const instance = render(
      <ChatView
        store={chat.store}
        look={lookOf(canvas.columns, canvas.rows)}
        first={first}
        onDrawn={(now, count) => {
          if (canvas.isHeld) return; // it does not reach the terminal, and is drawn later
          drawn = now;
          printed = count;
          if (count - first > MOST_KEPT) timer ??= setTimeout(redraw);
        }}
      />,
      { stdout: canvas.stdout, exitOnCtrlC: false, patchConsole: false },
    );
    instance.waitUntilExit().catch(fail);
    return instance;
  };
  let ink = draw();
  const drawAnew = (before: string) => {
    canvas.hold();
    ink.unmount();
    canvas.release();
    terminal.write(before);
    drawn = { lines: [] };
    ink = draw();
  };
  const redraw = () => {
    timer = undefined;
    drawAnew(eraseSequence(drawn, terminalSize(terminal).columns));
  };
  const onResize = () => {
    canvas.hold(); // what is drawn for the old size would break anywhere
    clearTimeout(timer);
    timer = setTimeout(redraw, SETTLE_MS);
  };
  terminal.on("resize", onResize);
  chat.onClear(() => drawAnew(home));

  const pause = () => {
    clearTimeout(timer);
    timer = undefined;
    canvas.hold();
    terminal.write(eraseSequence(drawn, terminalSize(terminal).columns)); // the prompt and the footer are of no use any more
    drawn = { lines: [] };
  };
  return {
    broken,
    pause,
    resume: redraw,
    close() {
      terminal.off("resize", onResize);
      pause();
      ink.unmount();
    },
  };
}
