import { exitCode, signalExitCode } from "../../../exit-code.ts";
import type { Io } from "../../../io.ts";
import { styleFor } from "../../../render/terminal/style.ts";
import type { Chat } from "../chat-controller.ts";
import { handleCrashes } from "../crash-handler.ts";
import { symbolsFor } from "../view/view-options.ts";
import { openWindow } from "./chat-window.tsx";
import { readTerminal } from "./read-terminal.ts";
import { releaseTerminal, retakeTerminal, type Terminal, takeTerminal } from "./terminal.ts";

/**
 * Draws a chat until the user leaves, a signal ends it, or an error occurs. Restores the terminal and resolves with the
 * exit code.
 */
export async function drawChat(
  chat: Chat,
  terminal: Terminal,
  { io, resume }: { readonly io: Io; readonly resume: () => string | undefined },
): Promise<number> {
  const { stdin, stdout } = terminal;
  const { dispatch } = chat.store;
  const restoreTerminal = takeTerminal(terminal);
  const style = styleFor(io.stdout, io.env);
  const symbols = symbolsFor(io.env);
  let end = (_: number) => {};
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });

  const crashes = handleCrashes(resume, restoreTerminal);
  const window = openWindow(stdout, chat, (columns, rows) => ({ style, ...symbols, columns, rows }));
  const suspend = () => {
    window.pause();
    releaseTerminal(terminal);
    process.kill(0, "SIGTSTP"); // the whole process group, as a terminal does
  };
  const resumeDrawing = () => {
    retakeTerminal(terminal);
    window.resume();
  };
  process.on("SIGCONT", resumeDrawing);
  const stopReading = readTerminal(
    stdin,
    (key) =>
      key.type === "press" && key.name === "ctrl-z" ? suspend() : dispatch({ type: "key", key, at: Date.now() }),
    () => end(exitCode.terminated),
  );
  const stopListening = io.onInterrupt((signal) => {
    if (signal === "SIGINT") dispatch({ type: "key", key: { type: "press", name: "ctrl-c" }, at: Date.now() });
    else end(signalExitCode(signal));
  });
  window.broken.catch(crashes.crash);
  chat.left.then(() => end(exitCode.done), crashes.crash);
  try {
    return await ended;
  } finally {
    process.off("SIGCONT", resumeDrawing);
    stopReading();
    stopListening();
    window.close();
    restoreTerminal();
    crashes.stop();
  }
}
