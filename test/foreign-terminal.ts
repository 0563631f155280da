import { execFile, spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, type TestContext, vi } from "vitest";
import { bin, type ForeignServer } from "./foreign-server.ts";

/** Whether the binary can be tested in a real terminal. */
export const hasTmux: boolean = spawnSync("tmux", ["-V"]).status === 0;
if (!hasTmux)
  console.warn(
    "tmux is missing: the tests with a foreign server in a terminal are skipped. " +
      "Install it with: apt-get install -y tmux",
  );

/** A terminal of 80 columns and 24 rows in which the binary runs. */
export interface ForeignTerminal {
  /** Types a line and sends it. */
  say(line: string): Promise<void>;
  /** Waits until the window shows a pattern. Resolves with the window. */
  shows(what: RegExp): Promise<string>;
  /** Waits for the end. Resolves with everything that was shown, without line breaks and the guardian's bars. */
  ended(code: number): Promise<string>;
}

/** Runs a command line of the binary in a new terminal, which is closed when the test ends. */
export async function runInTerminal(
  { onTestFinished }: Pick<TestContext, "onTestFinished">,
  { workspace, env }: Pick<ForeignServer, "workspace" | "env">,
  commandLine: string,
): Promise<ForeignTerminal> {
  const tmuxEnv = { ...env, TMUX_TMPDIR: dirname(workspace), TERM: "xterm-256color", SHELL: "/bin/sh" };
  const tmux = async (...args: readonly string[]) =>
    (await promisify(execFile)("tmux", ["-u", "-L", "foreign", "-f", "/dev/null", ...args], { env: tmuxEnv })).stdout;
  const shownCommand = join(dirname(workspace), "command-line");
  await writeFile(shownCommand, `$ sheepdog ${commandLine}\n`);
  // As in a shell, the command line stands above the output: tmux keeps what is erased at the top of a window.
  const script = [
    `cat '${shownCommand}'`,
    `'${process.execPath}' '${bin}' ${commandLine}; echo "ended with $?"; exec sleep 600`,
  ].join("; ");
  await tmux("new-session", "-d", "-x", "80", "-y", "24", "-c", workspace, script);
  onTestFinished(async () => void (await tmux("kill-server")));
  const shows = (what: RegExp) =>
    vi.waitFor(
      async () => {
        const screen = await tmux("capture-pane", "-p");
        expect(screen).toMatch(what);
        return screen;
      },
      { timeout: 60_000, interval: 50 },
    );
  return {
    async say(line) {
      await tmux("send-keys", "-l", line);
      await tmux("send-keys", "Enter");
    },
    shows,
    async ended(code) {
      await shows(/^ended with \d+$/m);
      const all = await tmux("capture-pane", "-p", "-S", "-");
      expect(all).toMatch(new RegExp(`^ended with ${code}$`, "m"));
      return all.replaceAll(/[\s┃]+/g, " ");
    },
  };
}
