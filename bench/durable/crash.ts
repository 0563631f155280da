import { startWorker } from "../measure/worker.ts";
import { langgraphName, oursName } from "./contestants/index.ts";
import type { CrashTask, Requests } from "./crash-child.ts";
import { countEffects } from "./effects.ts";
import { createFolder, removeFolder } from "./folder.ts";

/** The outcome of a conversation whose process was killed inside a tool that had already changed something. */
export interface Crash {
  readonly name: string;
  /** The call that continued the conversation. */
  readonly how: string;
  /** How often the tool had its effect; null when it could not be tried. */
  readonly effects: number | null;
  /** Whether a request had a call without a result, which providers refuse. */
  readonly hasUnansweredCall: boolean | null;
  /** The result that the model was sent for the call. */
  readonly result: string | null;
  readonly problem?: string;
}

/** The model asks for one call, the process is killed during the call, and another process continues. */
export async function measureCrashes(): Promise<readonly Crash[]> {
  return [
    await crash(oursName, "resume", "resume()"),
    await crash(oursName, "message", "run() with a new message"),
    await crash(langgraphName, "resume", "stream(null)"),
    await crash(langgraphName, "message", "stream() with a new message"),
  ];
}

async function crash(name: string, step: "resume" | "message", how: string): Promise<Crash> {
  const folder = createFolder();
  const unknown = { name, how, effects: null, hasUnansweredCall: null, result: null };
  try {
    const end = await runTask(name, { step: "start", folder }).then(
      () => "it ended",
      (error: Error) => error.message,
    );
    if (!end.includes("SIGKILL")) return { ...unknown, problem: `Expected a killed process: ${end}` };
    const { requests } = await runTask(name, { step, folder });
    return {
      name,
      how,
      effects: countEffects(folder),
      hasUnansweredCall: requests.some(({ unansweredCalls }) => unansweredCalls > 0),
      result: requests[0]?.lastResult ?? null,
    };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { ...unknown, effects: countEffects(folder), problem };
  } finally {
    removeFolder(folder);
  }
}

async function runTask(name: string, task: CrashTask): Promise<Requests> {
  const worker = await startWorker<CrashTask, Requests>(name, new URL("crash-child.ts", import.meta.url));
  try {
    return await worker.run(task);
  } finally {
    worker.stop();
  }
}
