import type { Io } from "../../../io.ts";

/** A terminal that can be drawn on, key by key. */
export interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
}

const ESC = "\u001b";
/** A paste comes as one, between marks. */
const enter = `${ESC}[?2004h`;
/** Marks of pastes off, updates shown at once, no colour, the cursor visible. */
const restore = `${ESC}[?2026l${ESC}[?2004l${ESC}[0m${ESC}[?25h`;

/** The terminal of this process; undefined where there is none that can be drawn on: then lines have to do. */
export function terminalOf({ stdin, stdout, env }: Io): Terminal | undefined {
  const canDraw =
    stdin.isTTY === true &&
    stdout.isTTY === true &&
    env["TERM"] !== "dumb" &&
    env["TERM"] !== undefined &&
    env["TERM"] !== "";
  if (!canDraw || !("setRawMode" in stdin) || !("rows" in stdout) || inBuild(env)) return undefined;
  return { stdin: stdin as unknown as NodeJS.ReadStream, stdout: stdout as unknown as NodeJS.WriteStream }; // a terminal's streams are these
}

/** Where ink takes it for a build, it draws nothing. */
function inBuild(env: Io["env"]): boolean {
  return ["CI", "CONTINUOUS_INTEGRATION"].some((name) => name in env && env[name] !== "0" && env[name] !== "false");
}

/** Takes every key; gives back how to leave the terminal as it was, which may be called twice. */
export function takeTerminal({ stdin, stdout }: Terminal): () => void {
  let isTaken = true;
  const giveBack = () => {
    if (!isTaken) return;
    isTaken = false;
    process.off("exit", giveBack);
    try {
      stdin.setRawMode(false);
      stdout.write(restore);
    } catch {
      // the terminal is gone
    }
  };
  process.on("exit", giveBack); // whatever way it ends
  stdin.setRawMode(true);
  stdout.write(enter);
  return giveBack;
}

/** Leaves the terminal to the shell for a while. */
export function lendTerminal({ stdin, stdout }: Terminal): void {
  stdin.setRawMode(false);
  stdout.write(restore);
}

/** Takes it again, whatever the shell has made of it meanwhile. */
export function retakeTerminal({ stdin, stdout }: Terminal): void {
  stdin.setRawMode(false); // else nothing is done, as it seems to be on
  stdin.setRawMode(true);
  stdout.write(enter);
}
