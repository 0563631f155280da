import { execFile, spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { TestContext } from "vitest";
import { packageRoot } from "../../src/package-root.ts";
import { isBuilt, type Sandbox } from "../e2e/sandbox.ts";

const bin = fileURLToPath(new URL("bin/sheepdog.js", packageRoot));
const hasTmux = spawnSync("tmux", ["-V"]).status === 0;
if (!hasTmux)
  console.warn(
    "tmux is missing: the tests of chat in a terminal are skipped. Install it with: apt-get install -y tmux",
  );

/** Whether chat can be tested in a real terminal. */
export const canTest: boolean = isBuilt && hasTmux;

/** A terminal with a running chat. */
export interface ChatTerminal {
  /** The visible window. */
  screen(): Promise<string>;
  /** The window and its scrollback. */
  all(): Promise<string>;
  /** All bytes that the terminal received. */
  bytes(): Promise<string>;
  type(text: string): Promise<void>;
  /** Types a line and sends it. */
  say(line: string): Promise<void>;
  /** Presses keys by their names in tmux: `Enter`, `C-c`, `Escape`. */
  press(...keys: readonly string[]): Promise<void>;
  /** Pastes as a terminal with bracketed paste does. */
  paste(text: string): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  /** Waits until the window shows a text. Resolves with the window. */
  shows(what: string | RegExp): Promise<string>;
  /** Waits until the window no longer shows a text. */
  hides(what: string): Promise<string>;
  /** The process id of the chat. */
  pid(): Promise<number>;
  /** Waits for the end. Resolves with the exit code and whether the terminal was restored. */
  ended(): Promise<{ readonly code: number; readonly isRestored: boolean }>;
  /** Closes the terminal. */
  close(): Promise<void>;
}

interface ChatOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const run = promisify(execFile);
const POLL_MS = 30;
const TIMEOUT_MS = 20_000;

/** Starts `sheepdog chat` in a new terminal, which is closed when the test ends. */
export async function startChat(
  { workspace, env }: Sandbox,
  { onTestFinished }: Pick<TestContext, "onTestFinished">,
  { columns = 100, rows = 30, args = [], env: more = {} }: ChatOptions = {},
): Promise<ChatTerminal> {
  const folder = dirname(workspace);
  const name = `terminal-${Math.random().toString(36).slice(2)}`;
  const file = (what: string) => join(folder, `${name}.${what}`);
  const terminalEnv = { ...env, TMUX_TMPDIR: folder, TERM: "xterm-256color", SHELL: "/bin/sh" };
  const tmux = async (...command: readonly string[]) =>
    (await run("tmux", ["-u", "-L", name, "-f", "/dev/null", ...command], { env: terminalEnv })).stdout;
  const settings = Object.entries(more).map(([key, value]) => `export ${key}='${value}'`);
  const script = [
    ...settings,
    `stty -a > ${file("before")}`,
    `"${process.execPath}" "${bin}" chat ${args.join(" ")} & echo $! > ${file("pid")}`,
    "fg > /dev/null",
    `code=$?; stty -a > ${file("after")}; echo $code > ${file("code")}`,
    "exec sleep 600",
  ];
  await writeFile(file("sh"), `${script.join("\n")}\n`);
  await tmux(
    "new-session",
    "-d",
    "-x",
    String(columns),
    "-y",
    String(rows),
    "-c",
    workspace,
    `sh -m ${file("sh")}`,
    ";",
    "pipe-pane",
    "-o",
    `cat > ${file("bytes")}`,
  );
  const close = async () => {
    await tmux("kill-server").catch(() => {}); // the server may have ended
  };
  onTestFinished(close);

  const screen = () => tmux("capture-pane", "-p");
  const until = async <T>(what: string, check: () => Promise<T | undefined>): Promise<T> => {
    const end = Date.now() + TIMEOUT_MS;
    for (;;) {
      const value = await check();
      if (value !== undefined) return value;
      if (Date.now() > end) throw new Error(`Expected ${what}; the terminal shows:\n${await screen().catch(String)}`);
      await setTimeout(POLL_MS);
    }
  };
  const content = (what: string) =>
    readFile(file(what), "utf8").then(
      (text) => (text.endsWith("\n") ? text : undefined),
      () => undefined,
    );
  // The modes of the terminal without its size.
  const modes = async (what: string) => (await content(what))?.replace(/rows \d+; columns \d+;/, "");
  return {
    screen,
    all: () => tmux("capture-pane", "-p", "-S", "-"),
    bytes: () => readFile(file("bytes"), "latin1"),
    type: async (text) => void (await tmux("send-keys", "-l", text)),
    async say(line) {
      await tmux("send-keys", "-l", line);
      await tmux("send-keys", "Enter");
    },
    press: async (...keys) => void (await tmux("send-keys", ...keys)),
    async paste(text) {
      await tmux("set-buffer", text);
      await tmux("paste-buffer", "-p");
    },
    resize: async (width, height) => void (await tmux("resize-window", "-x", String(width), "-y", String(height))),
    shows: (what) =>
      until(`the terminal to show ${what}`, async () => {
        const shown = await screen();
        return (typeof what === "string" ? shown.includes(what) : what.test(shown)) ? shown : undefined;
      }),
    hides: (what) =>
      until(`the terminal not to show ${what}`, async () => {
        const shown = await screen();
        return shown.includes(what) ? undefined : shown;
      }),
    pid: () => until("a process", async () => Number(await content("pid")) || undefined),
    async ended() {
      const code = await until("the chat to end", () => content("code"));
      return { code: Number(code), isRestored: (await modes("before")) === (await modes("after")) };
    },
    close,
  };
}

/** The window shows this when it waits for a prompt. */
export const ready = /idle · /;
