import { startPlayer } from "../measure/player.ts";
import { langgraphName, oursName } from "./contestants/index.ts";
import type { CrashOrder, Seen } from "./crash-child.ts";
import { effectsIn } from "./effects.ts";
import { freshFolder, removeFolder } from "./folder.ts";

/** What came of a conversation whose process was killed inside a tool that had changed something already. */
export interface Crash {
  readonly name: string;
  /** How it was gone on with. */
  readonly how: string;
  /** How often the tool did what it does; null where it could not be tried. */
  readonly effects: number | null;
  /** Whether a model was asked with a call that has no result, which providers refuse. */
  readonly hasDanglingCall: boolean | null;
  /** What the model was told of the call. */
  readonly told: string | null;
  readonly problem?: string;
}

/** The model asks once for a call; the process is killed while it is made; another process goes on, and its model asks for nothing. */
export async function crashes(): Promise<readonly Crash[]> {
  return [
    await crash(oursName, "continue", "resume()"),
    await crash(oursName, "message", "run() with a new message"),
    await crash(langgraphName, "continue", "stream(null)"),
    await crash(langgraphName, "message", "stream() with a new message"),
  ];
}

async function crash(name: string, then: "continue" | "message", how: string): Promise<Crash> {
  const folder = freshFolder();
  const nothing = { name, how, effects: null, hasDanglingCall: null, told: null };
  try {
    const killed = await ask(name, { step: "start", folder }).then(
      () => "it went to its end",
      (error: Error) => error.message,
    );
    if (!killed.includes("SIGKILL")) return { ...nothing, problem: `Expected it to be killed: ${killed}` };
    const seen = await ask(name, { step: then, folder });
    return {
      name,
      how,
      effects: effectsIn(folder),
      hasDanglingCall: seen.requests.some(({ dangling }) => dangling > 0),
      told: seen.requests[0]?.told ?? null,
    };
  } catch (error) {
    return { ...nothing, effects: effectsIn(folder), problem: error instanceof Error ? error.message : String(error) };
  } finally {
    removeFolder(folder);
  }
}

async function ask(name: string, order: CrashOrder): Promise<Seen> {
  const player = await startPlayer<CrashOrder, Seen>(name, new URL("crash-child.ts", import.meta.url));
  try {
    return await player.play(order);
  } finally {
    player.leave();
  }
}
