import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Holder, isGone, thisProcess } from "@sheepdog/agent";
import { isId } from "../compose/ids.ts";
import type { Home } from "../home.ts";
import type { ChannelTarget } from "./channel-settings.ts";
import type { NoticeRun } from "./notice.ts";
import { jsonFilesIn, makePrivateFolder, readPrivateFile, writePrivateFile } from "./private-files.ts";

/** A run that people are told about. Its file is removed when the run ends in good order. */
export interface WatchedRun {
  readonly run: NoticeRun;
  readonly holder: Holder;
  readonly channels: readonly ChannelTarget[];
  /** The command that resumes the run, if its process is killed. */
  readonly command?: string;
}

/** Registers a run of this process. */
export function watchRun(home: Home, watched: Omit<WatchedRun, "holder">): void {
  const folder = makePrivateFolder(home.dir, "channels", "runs");
  writePrivateFile(join(folder, `${watched.run.runId}.json`), { ...watched, holder: thisProcess() });
}

/** Ends the registration of a run. */
export function unwatchRun({ channelsDir }: Home, runId: string): void {
  if (isId(runId)) rmSync(join(channelsDir, "runs", `${runId}.json`), { force: true });
}

/** All registered runs. */
export function watchedRuns({ channelsDir }: Home): readonly WatchedRun[] {
  const folder = join(channelsDir, "runs");
  return jsonFilesIn(folder).flatMap((file) => {
    const value = readPrivateFile(join(folder, file));
    return isWatchedRun(value) ? [value] : [];
  });
}

/** Whether the process of a registered run is alive. */
export function isAlive({ holder }: WatchedRun): boolean {
  return !isGone(holder);
}

function isWatchedRun(value: unknown): value is WatchedRun {
  if (typeof value !== "object" || value === null) return false;
  const { run, holder, channels } = value as Partial<WatchedRun>; // each field is checked
  return (
    typeof run?.runId === "string" &&
    isId(run.runId) &&
    typeof holder?.pid === "number" &&
    typeof holder.host === "string" &&
    Array.isArray(channels)
  );
}
