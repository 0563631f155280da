import { constants } from "node:fs";
import { access, lstat } from "node:fs/promises";
import type { SkippedItem } from "../readers/read-item.ts";
import { findRecordings } from "../readers/recordings.ts";
import type { AgentPlace } from "./agent-places.ts";
import { expandPath } from "./expand-path.ts";

/** A file, or a folder that is one recording, with the place in which it was found. */
export type PlacedRecording =
  | { readonly type: "file"; readonly file: string; readonly place: AgentPlace }
  | SkippedItem;

/** Finds the recordings in places of agents. A place that is missing or empty is passed over. */
export async function* findAgentRecordings(places: readonly AgentPlace[]): AsyncGenerator<PlacedRecording> {
  for (const place of places) {
    const { paths, skipped } = await expandPath(place.path);
    yield* skipped;
    for (const path of paths) if (await exists(path)) yield* inPath(path, place);
  }
}

async function* inPath(path: string, place: AgentPlace): AsyncGenerator<PlacedRecording> {
  let isFirst = true;
  for await (const found of findRecordings([path])) {
    const isEmptyFolder =
      isFirst && found.type === "skipped" && found.skipped.file === path && (await isReadable(path));
    if (found.type === "file") yield { ...found, place };
    else if (!isEmptyFolder) yield found;
    isFirst = false;
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function isReadable(path: string): Promise<boolean> {
  return access(path, constants.R_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}
