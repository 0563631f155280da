import type { Io } from "../../../io.ts";

/** A terminal that can be drawn on and read key by key. */
export interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
}

const ESC = "\u001b";
/** Bracketed paste on. */
const enterSequence = `${ESC}[?2004h`;
/** Synchronized updates off, bracketed paste off, no colours, cursor visible. */
const restoreSequence = `${ESC}[?2026l${ESC}[?2004l${ESC}[0m${ESC}[?25h`;

/** The terminal of this process; undefined if it cannot be drawn on. */
export function terminalOf({ stdin, stdout, env }: Io): Terminal | undefined {
  const isUsable =
    stdin.isTTY === true &&
    stdout.isTTY === true &&
    env["TERM"] !== "dumb" &&
    env["TERM"] !== undefined &&
    env["TERM"] !== "";
  if (!isUsable || !("setRawMode" in stdin) || !("rows" in stdout) || isContinuousIntegration(env)) return undefined;
  // The streams of a terminal have these types.
  return { stdin: stdin as unknown as NodeJS.ReadStream, stdout: stdout as unknown as NodeJS.WriteStream };
}

/** ink draws nothing in continuous integration. */
function isContinuousIntegration(env: Io["env"]): boolean {
  return ["CI", "CONTINUOUS_INTEGRATION"].some((name) => name in env && env[name] !== "0" && env[name] !== "false");
}

/** Switches the terminal to raw mode. Returns a function that restores it, which may be called twice. */
export function takeTerminal({ stdin, stdout }: Terminal): () => void {
  let isTaken = true;
  const restore = () => {
    if (!isTaken) return;
    isTaken = false;
    process.off("exit", restore);
    try {
      stdin.setRawMode(false);
      stdout.write(restoreSequence);
    } catch {
      // the terminal is gone
    }
  };
  process.on("exit", restore); // however the process ends
  stdin.setRawMode(true);
  stdout.write(enterSequence);
  return restore;
}

/** Leaves the terminal to the shell while the chat is suspended. */
export function releaseTerminal({ stdin, stdout }: Terminal): void {
  stdin.setRawMode(false);
  stdout.write(restoreSequence);
}

/** Takes the terminal again. The shell may have changed its mode. */
export function retakeTerminal({ stdin, stdout }: Terminal): void {
  stdin.setRawMode(false); // Node caches the mode: without this, the next call does nothing
  stdin.setRawMode(true);
  stdout.write(enterSequence);
}
