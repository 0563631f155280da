import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { JsonObject } from "../../trajectory/json-fields.ts";
import { objectField, textField } from "../fields.ts";
import { readJsonFile } from "../json-file.ts";
import { type ReadItem, runItem, skip } from "../read-item.ts";
import type { FolderReader } from "../reader.ts";
import { countUnknown, type UnknownKinds } from "../unknown-kinds.ts";
import { createOpenhandsConversation } from "./openhands-conversation.ts";
import { openhandsRequests } from "./openhands-usage.ts";

const STATE = "base_state.json";
const EVENTS = "events";
const SUBAGENTS = "subagents";
const eventName = /^event-(\d+).*\.json$/;

/** Reads the folder of a conversation of the OpenHands SDK, with those of its subagents. */
export const openhandsFolderReader: FolderReader = {
  type: "folder",
  format: "openhands",
  label: "OpenHands",
  recognizes: (names) => names.has(STATE) && names.has(EVENTS),
  async *read(folder) {
    const unknown = countUnknown("entries");
    yield* readConversation({ folder, root: folder, ordinal: 1, parent: undefined }, unknown);
    const leftOut = unknown.item(folder, "OpenHands");
    if (leftOut !== undefined) yield leftOut;
  },
};

interface Conversation {
  readonly folder: string;
  /** The folder of the recording, to which the items belong. */
  readonly root: string;
  readonly ordinal: number;
  readonly parent: string | undefined;
}

async function* readConversation(conversation: Conversation, unknown: UnknownKinds): AsyncGenerator<ReadItem, number> {
  const { folder, root, ordinal, parent } = conversation;
  const { value: state = {}, why } = await readJsonFile(join(folder, STATE));
  if (why !== "") yield skip(root, ordinal, `${join(folder, STATE)}: ${why}; tokens and costs are unknown`);
  const files = await eventFiles(folder);
  const named = new Set<string>();
  for (const file of files) {
    const { value } = await readJsonFile(file);
    const responseId = textField(value?.["llm_response_id"]);
    if (responseId !== undefined) named.add(responseId);
  }
  const id = textField(state["id"]) ?? basename(folder);
  const requests = openhandsRequests(objectField(state["stats"])["usage_to_metrics"], named);
  const reader = createOpenhandsConversation({ id, parent, state, requests });
  for (const file of files) {
    const { value, why: problem } = await readJsonFile(file); // again: only one event at a time is kept in memory
    const result = value === undefined ? { why: problem } : reader.event(value, position(file, value));
    if (result === "read") continue;
    if ("unknown" in result) unknown.add(result.unknown, ordinal);
    else yield skip(root, ordinal, `${file}: ${result.why}`);
  }
  const run = reader.run();
  yield run === undefined
    ? skip(root, ordinal, "this conversation has no reply of a model")
    : runItem(run, root, ordinal);
  let last = ordinal;
  for (const name of await entries(join(folder, SUBAGENTS))) {
    const child = join(folder, SUBAGENTS, name);
    if (!(await entries(child)).includes(EVENTS)) continue;
    last = yield* readConversation({ folder: child, root, ordinal: last + 1, parent: id }, unknown);
  }
  return last;
}

function position(file: string, event: JsonObject): { readonly file: string; readonly entry: string } {
  return { file, entry: `event ${String(event["id"])}` };
}

/** The files of the events in their order. */
async function eventFiles(folder: string): Promise<readonly string[]> {
  const numbered = (await entries(join(folder, EVENTS))).flatMap((name) => {
    const index = eventName.exec(name)?.[1];
    return index === undefined ? [] : [{ name, index: Number(index) }];
  });
  numbered.sort((a, b) => a.index - b.index || (a.name < b.name ? -1 : 1));
  return numbered.map(({ name }) => join(folder, EVENTS, name));
}

async function entries(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).sort();
}
