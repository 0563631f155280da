import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { JsonObject } from "../../trajectory/json-fields.ts";
import { objectField, timeField } from "../fields.ts";
import { readJsonFile } from "../json-file.ts";
import { type ReadItem, runItem, skip } from "../read-item.ts";
import type { FolderReader } from "../reader.ts";
import { countUnknown } from "../unknown-kinds.ts";
import { createOpencodeSession, opencodeInfo, opencodeSource } from "./opencode-session.ts";

/** Reads the folder `storage` of earlier versions of opencode, with a file for each session, message and part. */
export const opencodeStorageReader: FolderReader = {
  type: "folder",
  format: "opencode",
  label: "opencode",
  async recognizes(names, folder) {
    if (!names.has("session") || !names.has("message") || !names.has("part")) return false;
    return (await entries(join(folder, "message"))).some((name) => name.startsWith("ses_"));
  },
  async *read(folder) {
    const unknown = countUnknown("entries");
    const sessions: SessionFile[] = [];
    for (const project of await entries(join(folder, "session")))
      for await (const { file, value, why } of jsonFiles(join(folder, "session", project))) {
        if (value === undefined) yield skip(file, 0, why);
        else sessions.push({ id: basename(file, ".json"), info: value });
      }
    sessions.sort((a, b) => createdAt(a.info) - createdAt(b.info) || (a.id < b.id ? -1 : 1));
    for (const [index, session] of sessions.entries()) {
      const place: Place = { folder, ordinal: index + 1, onUnknown: (kind) => unknown.add(kind, index + 1) };
      yield* readSession(session, place);
    }
    const leftOut = unknown.item(folder, "opencode");
    if (leftOut !== undefined) yield leftOut;
    if (sessions.length === 0) yield skip(folder, 0, "it is a folder of opencode without a session");
  },
};

interface SessionFile {
  readonly id: string;
  readonly info: JsonObject;
}

interface Place {
  readonly folder: string;
  readonly ordinal: number;
  onUnknown(kind: string): void;
}

async function* readSession({ id, info }: SessionFile, place: Place): AsyncGenerator<ReadItem> {
  const { folder, ordinal } = place;
  const session = createOpencodeSession(opencodeInfo(info, id, opencodeSource(folder)));
  const messages: { readonly file: string; readonly id: string; readonly created: number }[] = [];
  for await (const { file, value, why } of jsonFiles(join(folder, "message", id))) {
    if (value === undefined) yield skip(folder, ordinal, `${file}: ${why}`);
    else messages.push({ file, id: basename(file, ".json"), created: createdAt(value) });
  }
  messages.sort((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1));
  for (const message of messages) {
    const head = await readJsonFile(message.file); // again: only one message at a time is kept in memory
    const parts: JsonObject[] = [];
    for await (const { file, value, why } of jsonFiles(join(folder, "part", message.id))) {
      if (value === undefined) yield skip(folder, ordinal, `${file}: ${why}`);
      else parts.push(value);
    }
    const position = { file: message.file, entry: `message ${message.id}` };
    for (const kind of session.message(objectField(head.value), parts, position)) place.onUnknown(kind);
  }
  const run = session.run();
  if (run !== undefined) yield runItem(run, folder, ordinal);
}

interface JsonFile {
  readonly file: string;
  readonly value: JsonObject | undefined;
  readonly why: string;
}

/** The JSON objects in a folder, in the order of their names. */
async function* jsonFiles(folder: string): AsyncGenerator<JsonFile> {
  for (const name of (await entries(folder)).sort()) {
    if (!name.endsWith(".json")) continue;
    const file = join(folder, name);
    yield { file, ...(await readJsonFile(file)) };
  }
}

async function entries(folder: string): Promise<string[]> {
  return await readdir(folder).catch(() => []); // a session without messages has no folder
}

function createdAt(value: JsonObject): number {
  return timeField(objectField(value["time"])["created"]) ?? 0;
}
