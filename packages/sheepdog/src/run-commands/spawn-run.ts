import { spawn } from "node:child_process";
import { type FileHandle, mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { CommandResult } from "@sheepdog/web/contract";
import { readStartFile } from "../control/start-file.ts";
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
  /** The command of the server whose environment the run gets; default: `sheepdog serve`. */
  readonly server?: string;
}

/** How this program is started: Node and its script. */
export type Program = readonly [command: string, ...args: string[]];

const startMs = 30_000;
const pollMs = 50;
/** How long a run that has started may take until it is saved. */
const saveMs = 3_000;
const maxErrorBytes = 10_000;

/**
 * Starts `sheepdog run` in a process that outlives this one, and waits until its run is saved. The process itself says
 * that its run has started: a database that cannot be read does not deny it. A process that ends before that has
 * failed, and its words say why.
 */
export async function spawnRun(
  { stores, env }: Pick<CommandContext, "stores" | "env">,
  program: Program,
  request: SpawnRequest,
): Promise<CommandResult> {
  const { options, prompt, cwd, sessionId, startedText, isAnswered = true, server = "sheepdog serve" } = request;
  const notStarted = (reason: string) => failedStart(reason, server);
  const isSaved = await createSavedCheck(stores, sessionId);
  let folder: string | undefined;
  let errors: FileHandle | undefined;
  let input: FileHandle | undefined;
  try {
    folder = await mkdtemp(join(tmpdir(), "sheepdog-start-"));
    const startFile = join(folder, "started");
    errors = await open(join(folder, "stderr"), "w+", 0o600);
    input = await promptFile(join(folder, "prompt"), prompt);
    const [command, ...args] = program;
    const answers = isAnswered ? ["--answers", "remote"] : ["--unattended"];
    const words = prompt === undefined ? [] : ["-"]; // reads stdin
    const flags = ["--quiet", ...answers, `--start-file=${startFile}`];
    const child = spawn(command, [...args, "run", ...flags, ...options, ...words], {
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
    let unsavedMs = 0;
    for (let waitedMs = 0; waitedMs < startMs; waitedMs += pollMs) {
      const hasEnded = child.exitCode !== null || child.signalCode !== null; // read first: it may end meanwhile
      const runId = await readStartFile(startFile);
      if (runId !== undefined) {
        if (await isSaved(runId)) return { isDone: true, text: startedText, runId };
        if (hasEnded || unsavedMs >= saveMs) return { isDone: true, text: `${startedText} ${unsavedText}`, runId };
        unsavedMs += pollMs;
      }
      if (failure !== undefined) return notStarted(failure);
      if (runId === undefined && hasEnded) return notStarted(await lastWords(errors));
      await setTimeout(pollMs);
    }
    return notStarted(`it has said nothing for ${startMs / 1_000} s. See the runs for what became of it.`);
  } catch (error) {
    return notStarted(error instanceof Error ? error.message : String(error)); // such as a prompt that is too long
  } finally {
    await input?.close();
    await errors?.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true }); // the process keeps its open files
  }
}

const unsavedText = "It is not in the database that this server reads.";

/** Returns whether the database has new events of a run. One that cannot be read has none. */
async function createSavedCheck(
  { sessions, events }: CommandContext["stores"],
  sessionId: string,
): Promise<(runId: string) => Promise<boolean>> {
  const lastSeq = await sessions.load(sessionId).then(
    (session) => session.lastSeq,
    () => 0,
  );
  return async (wanted) => {
    const saved = await events.after(sessionId, lastSeq).catch(() => []);
    return saved.some(({ runId }) => runId === wanted);
  };
}

/** The prompt is on stdin: arguments are limited in length, and every user of the machine can read them. */
async function promptFile(path: string, prompt: string | undefined): Promise<FileHandle | undefined> {
  if (prompt === undefined) return undefined;
  await writeFile(path, prompt, { flag: "wx", mode: 0o600 });
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

/** Runs get the environment of the server: a missing key is set there. */
function failedStart(reason: string, server: string): CommandResult {
  const keyHint = `\nSet the key in the environment of ${server}, and start the server again.`;
  const hint = isKeyMissing(reason) ? keyHint : "";
  return { isDone: false, text: `The run was not started: ${reason}${hint}`, runId: null };
}

function isKeyMissing(reason: string): boolean {
  return /no API key for|no model is configured/i.test(reason);
}
