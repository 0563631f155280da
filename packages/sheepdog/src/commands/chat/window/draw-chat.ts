import { exitCode, signalExitCode } from "../../../exit-code.ts";
import type { Io } from "../../../io.ts";
import { styleFor } from "../../../render/terminal/style.ts";
import type { Chat } from "../chat-controller.ts";
import { watchCrashes } from "../on-crash.ts";
import { signsFor } from "../view/look.ts";
import { openWindow } from "./chat-window.tsx";
import { readTerminal } from "./read-terminal.ts";
import { lendTerminal, retakeTerminal, type Terminal, takeTerminal } from "./terminal.ts";

/** Draws a chat on a terminal until the person leaves, the system wants it to end, or something breaks; the terminal is then as it was. Resolves with the exit code. */
export async function drawChat(
  chat: Chat,
  terminal: Terminal,
  io: Io,
  resume: () => string | undefined,
): Promise<number> {
  const { stdin, stdout } = terminal;
  const { dispatch } = chat.store;
  const giveBack = takeTerminal(terminal);
  const style = styleFor(io.stdout, io.env);
  const letters = signsFor(io.env);
  let end = (_: number) => {};
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });

  const watch = watchCrashes(resume, giveBack);
  const window = openWindow(stdout, chat, (columns, rows) => ({ style, ...letters, columns, rows }));
  const suspend = () => {
    window.pause();
    lendTerminal(terminal);
    process.kill(0, "SIGTSTP"); // all of the job, as a terminal does it
  };
  const goOn = () => {
    retakeTerminal(terminal);
    window.goOn();
  };
  process.on("SIGCONT", goOn);
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
  window.broken.catch(watch.crash);
  chat.left.then(() => end(exitCode.done), watch.crash);
  try {
    return await ended;
  } finally {
    process.off("SIGCONT", goOn);
    stopReading();
    stopListening();
    window.close();
    giveBack();
    watch.stop();
  }
}
