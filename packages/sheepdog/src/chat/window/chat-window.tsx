import { render } from "ink";
import type { Chat } from "../chat-controller.ts";
import type { Drawn } from "../view/drawn.ts";
import type { Look } from "../view/look.ts";
import { createCanvas, erasing, sizeOf } from "./canvas.ts";
import { ChatView } from "./chat-view.tsx";

/** A chat on the screen. */
export interface ChatWindow {
  /** Rejects where drawing breaks. */
  readonly broken: Promise<never>;
  close(): void;
}

/** Terminals tell of every step while somebody pulls at their corner. */
const SETTLE_MS = 50;
const home = "\u001b[H\u001b[J";

/** Draws a chat until it is closed. A window of another size is a new drawing: what is in the scrollback stays, the rest is drawn anew. */
export function openWindow(terminal: NodeJS.WriteStream, chat: Chat, lookOf: (columns: number, rows: number) => Look): ChatWindow {
  const canvas = createCanvas(terminal);
  let fail = (_: unknown) => {};
  const broken = new Promise<never>((_, reject) => {
    fail = reject;
  });
  let printed = 0;
  let drawn: Drawn = { lines: [] };
  let timer: NodeJS.Timeout | undefined;

  const draw = () => {
    const instance = render(
      <ChatView
        store={chat.store}
        look={lookOf(canvas.columns, canvas.rows)}
        first={printed}
        onDrawn={(now, count) => {
          if (canvas.isHeld) return; // it does not reach the terminal, and is drawn later
          drawn = now;
          printed = count;
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
  const onResize = () => {
    canvas.hold(); // what is drawn for the old size would break anywhere
    clearTimeout(timer);
    timer = setTimeout(() => drawAnew(erasing(drawn, sizeOf(terminal).columns)), SETTLE_MS);
  };
  terminal.on("resize", onResize);
  chat.onClear(() => drawAnew(home));

  return {
    broken,
    close() {
      clearTimeout(timer);
      terminal.off("resize", onResize);
      canvas.hold();
      ink.unmount();
      terminal.write(erasing(drawn, sizeOf(terminal).columns)); // the prompt and the footer are of no use any more
    },
  };
}
