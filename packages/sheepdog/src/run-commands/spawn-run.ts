import { spawn } from "node:child_process";
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { CommandResult } from "@sheepdog/web/contract";
import type { CommandContext } from "./command-context.ts";

/** A run to start in a process of its own. */
export interface SpawnRequest {
  /** The options of `sheepdog run`. */
  readonly options: readonly string[];
  readonly prompt: string | undefined;
  readonly cwd: string;
  readonly sessionId: string;
  /** What is said if it has started. */
  readonly startedText: string;
  /** Whether questions are answered from other processes; default: true. False: they count as no. */
  readonly isAnswered?: boolean;
}

/** How this program is started: Node and its script. */
export type Program = readonly [command: string, ...args: string[]];

const startMs = 30_000;
const pollMs = 50;
const maxErrorBytes = 10_000;

/**
 * Starts `sheepdog run` in a process that outlives this one, and waits until its run is saved. A process that ends
 * before that has failed, and its words say why.
 */
export async function spawnRun(
  { stores, env }: Pick<CommandContext, "stores" | "env">,
  program: Program,
  request: SpawnRequest,
): Promise<CommandResult> {
  const { options, prompt, cwd, sessionId, startedText, isAnswered = true } = request;
  const { lastSeq } = await stores.sessions.load(sessionId);
  const folder = await mkdtemp(join(tmpdir(), "sheepdog-start-"));
  const errors = await open(join(folder, "stderr"), "w+", 0o600);
  const input = await promptFile(join(folder, "prompt"), prompt);
  try {
    const [command, ...args] = program;
    const answers = isAnswered ? ["--answers", "remote"] : ["--unattended"];
    const words = prompt === undefined ? [] : ["-"]; // reads stdin
    const child = spawn(command, [...args, "run", "--quiet", ...answers, ...options, ...words], {
      cwd,
      env: env as NodeJS.ProcessEnv, // the same type without `readonly`
      detached: true,
      stdio: [input?.fd ?? "ignore", "ignore", errors.fd],
    });
    let failure: string | undefined;
    child.on("error", (error) => {
      failure = error.message;
    });
    child.unref();
    for (let waitedMs = 0; waitedMs < startMs; waitedMs += pollMs) {
      const [event] = await stores.events.after(sessionId, lastSeq);
      if (event !== undefined) return { isDone: true, text: startedText, runId: event.runId };
      if (failure !== undefined) return notStarted(failure);
      if (child.exitCode !== null || child.signalCode !== null) return notStarted(await lastWords(errors));
      await setTimeout(pollMs);
    }
    return notStarted(`it has said nothing for ${startMs / 1_000} s. See the runs for what became of it.`);
  } catch (error) {
    return notStarted(error instanceof Error ? error.message : String(error)); // such as a prompt that is too long
  } finally {
    await input?.close();
    await errors.close();
    await rm(folder, { recursive: true, force: true }); // the process keeps its open files
  }
}

/** The prompt is on stdin: arguments are limited in length, and every user of the machine can read them. */
async function promptFile(path: string, prompt: string | undefined): Promise<FileHandle | undefined> {
  if (prompt === undefined) return undefined;
  const writer = await open(path, "wx", 0o600);
  await writer.writeFile(prompt);
  await writer.close();
  return open(path, "r");
}

async function lastWords(errors: FileHandle): Promise<string> {
  const { buffer, bytesRead } = await errors.read(Buffer.alloc(maxErrorBytes), 0, maxErrorBytes, 0);
  const text = buffer
    .toString("utf8", 0, bytesRead)
    .replaceAll(/^sheepdog: /gm, "")
    .trim();
  return text === "" ? "its process ended without a word." : text;
}

function notStarted(reason: string): CommandResult {
  return { isDone: false, text: `The run was not started: ${reason}`, runId: null };
}
