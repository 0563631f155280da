import { render } from "ink";
import type { Chat } from "../chat-controller.ts";
import type { Drawing } from "../view/drawing.ts";
import type { ViewOptions } from "../view/view-options.ts";
import { createCanvas, eraseSequence, terminalSize } from "./canvas.ts";
import { ChatView } from "./chat-view.tsx";

/** A chat on the screen. */
export interface ChatWindow {
  /** Rejects when drawing fails. */
  readonly broken: Promise<never>;
  /** Erases the part that changes and stops drawing. */
  pause(): void;
  /** Draws again, below the current content of the terminal. */
  resume(): void;
  close(): void;
}

/** A terminal sends many "resize" events while the user drags its corner. */
const RESIZE_SETTLE_MS = 50;
/** ink keeps everything it has printed. After this many entries, a new drawing starts. */
const MAX_PRINTED_ENTRIES = 500;
const clearScreen = "\u001b[H\u001b[J";

/** Draws a chat until it is closed. After a resize, the scrollback stays and the rest is drawn again. */
export function openWindow(
  terminal: NodeJS.WriteStream,
  chat: Chat,
  viewOptions: (columns: number, rows: number) => ViewOptions,
): ChatWindow {
  const canvas = createCanvas(terminal);
  let fail = (_: unknown) => {};
  const broken = new Promise<never>((_, reject) => {
    fail = reject;
  });
  let printed = 0;
  let drawing: Drawing = { lines: [] };
  let timer: NodeJS.Timeout | undefined;

  const draw = () => {
    const first = printed;
    const instance = render(
      <ChatView
        store={chat.store}
        options={viewOptions(canvas.columns, canvas.rows)}
        first={first}
        onDraw={(newDrawing, count) => {
          if (canvas.isHeld) return; // it does not reach the terminal and is drawn later
          drawing = newDrawing;
          printed = count;
          if (count - first > MAX_PRINTED_ENTRIES) timer ??= setTimeout(redraw);
        }}
      />,
      { stdout: canvas.stdout, exitOnCtrlC: false, patchConsole: false },
    );
    instance.waitUntilExit().catch(fail);
    return instance;
  };
  let ink = draw();
  const drawAfter = (sequence: string) => {
    canvas.hold();
    ink.unmount();
    canvas.release();
    terminal.write(sequence);
    drawing = { lines: [] };
    ink = draw();
  };
  const redraw = () => {
    timer = undefined;
    drawAfter(eraseSequence(drawing, terminalSize(terminal).columns));
  };
  const onResize = () => {
    canvas.hold(); // a drawing for the old size would wrap
    clearTimeout(timer);
    timer = setTimeout(redraw, RESIZE_SETTLE_MS);
  };
  terminal.on("resize", onResize);
  chat.onClear(() => drawAfter(clearScreen));

  const pause = () => {
    clearTimeout(timer);
    timer = undefined;
    canvas.hold();
    terminal.write(eraseSequence(drawing, terminalSize(terminal).columns));
    drawing = { lines: [] };
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
