import { basename, dirname } from "node:path";
import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject } from "../../trajectory/parse-json.ts";
import type { RecordedPosition, RecordedRun } from "../../trajectory/recorded-run.ts";
import { clipText } from "../clip.ts";
import { countingNotes, countWithoutUsage } from "../counting-notes.ts";
import { listField, optional, textField } from "../fields.ts";
import { createPersonMessages } from "../person-messages.ts";
import { recordedRun } from "../recorded-run.ts";
import { personMessage, type ReplyStep, replyStep } from "./chat-message.ts";

/** Collects the messages of a chat, which later lines can replace and take back. */
export interface Chat {
  /** Fields of the chat. */
  meta(meta: JsonObject): void;
  /** A message; one with the id of an earlier one replaces it. Returns its type if it is unknown. */
  message(message: JsonObject, position: RecordedPosition): string | undefined;
  /** The history after a compression or a masking of results. */
  checkpoint(messages: readonly unknown[], position: RecordedPosition): void;
  /** Takes back this message and all after it. */
  rewindTo(id: string): void;
  run(): RecordedRun | undefined;
}

type Entry =
  | { readonly type: "person"; readonly text: string }
  | { readonly type: "reply"; step: ReplyStep; readonly isAfterCompaction: boolean };

const otherTypes: ReadonlySet<unknown> = new Set(["info", "error", "warning"]);

/** Creates an empty chat. */
export function createChat(file: string): Chat {
  let meta: JsonObject = {};
  let task: string | undefined;
  const entries: Entry[] = []; // all messages, also those that were taken back: they were paid
  let current = new Map<string, Entry | undefined>(); // the messages of the history
  let isCompacted = false;
  let rewoundMessages = 0;
  let syntheticReplies = 0;

  function add(id: string, entry: Entry | undefined): void {
    current.set(id, entry);
    if (entry === undefined) return;
    entries.push(entry);
    if (entry.type === "reply") isCompacted = false;
  }

  function reply(id: string, message: JsonObject, position: RecordedPosition): void {
    const earlier = current.get(id);
    const step = replyStep(message, position);
    if (earlier?.type !== "reply" || !isLater(step, earlier.step))
      add(id, { type: "reply", step, isAfterCompaction: isCompacted });
    else earlier.step = { ...step, ...optional("usage", step.usage ?? earlier.step.usage) };
  }

  function person(id: string, message: JsonObject): void {
    const text = personMessage(message);
    const earlier = current.get(id);
    if (current.has(id) && (earlier === undefined || (earlier.type === "person" && earlier.text === text))) return;
    add(id, text === undefined ? undefined : { type: "person", text });
    if (text !== undefined) task ??= clipText(text);
  }

  function read(message: JsonObject, position: RecordedPosition): string | undefined {
    const { type } = message;
    const id = textField(message["id"]) ?? `line ${position.line ?? position.entry}`;
    if (type === "gemini") reply(id, message, position);
    else if (type === "user") person(id, message);
    else if (!otherTypes.has(type)) return `message ${textField(type) ?? "without a type"}`;
    return undefined;
  }

  /** A message that only a checkpoint holds is a summary, unless the chat begins with the checkpoint. */
  function readCheckpointed(message: JsonObject, position: RecordedPosition): void {
    const isSummary = message["tokens"] === undefined && listField(message["toolCalls"]).length === 0;
    if (entries.length === 0 || (message["type"] === "gemini" && !isSummary)) return void read(message, position);
    current.set(textField(message["id"]) ?? "", undefined);
    if (message["type"] === "gemini") syntheticReplies++;
  }

  return {
    meta(update) {
      meta = { ...meta, ...update };
    },
    message: read,
    checkpoint(messages, position) {
      const known = current;
      const kept = messages.filter(isObject);
      const ids = new Set(kept.map(({ id }) => id));
      const lost = [...known].some(([id, entry]) => entry?.type === "reply" && !ids.has(id));
      for (const message of kept) {
        const isKnown = typeof message["id"] === "string" && known.has(message["id"]);
        if (!isKnown) readCheckpointed(message, position); // what is known keeps its unmasked results
      }
      current = new Map([...current].filter(([id]) => ids.has(id)));
      if (lost) isCompacted = true;
    },
    rewindTo(id) {
      const ids = [...current.keys()];
      const removed = ids.slice(Math.max(0, ids.indexOf(id))); // an unknown id takes back everything
      for (const messageId of removed) {
        if (current.get(messageId)?.type === "reply") rewoundMessages++;
        current.delete(messageId);
      }
    },
    run() {
      const isSubagent = meta["kind"] === "subagent";
      const steps = stepsOf(entries, isSubagent);
      return recordedRun(steps, {
        id: textField(meta["sessionId"]) ?? basename(file),
        source: "gemini-cli",
        task,
        project: textField(listField(meta["directories"])[0]),
        parent: isSubagent ? parentOf(file) : undefined,
        counting: countingNotes({ rewoundMessages, syntheticReplies, withoutUsage: countWithoutUsage(steps) }),
      });
    },
  };
}

/** Whether a step is a later state of another one with its id, and not another one with an id that is masked. */
function isLater(step: ReplyStep, earlier: ReplyStep): boolean {
  const isSameUsage = [step, earlier].some(({ usage }) => usage === undefined) || isEqual(step.usage, earlier.usage);
  const hasCalls = earlier.calls.every(({ name, args }, index) => {
    const call = step.calls[index];
    return call?.name === name && isEqual(call.args, args);
  });
  return isSameUsage && hasCalls && step.text.startsWith(earlier.text);
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function stepsOf(entries: readonly Entry[], isSubagent: boolean): RecordedRun["steps"] {
  const steps: RecordedRun["steps"][number][] = [];
  const prompts = createPersonMessages();
  for (const entry of entries) {
    if (entry.type === "reply")
      steps.push({
        turn: steps.length,
        ...entry.step,
        ...prompts.take(),
        ...(entry.isAfterCompaction ? { compacted: true } : {}),
      });
    else if (!isSubagent) prompts.add(entry.text);
  }
  return steps;
}

/** A subagent does not record its parent, and stands in a folder with the parent's id as its name. */
function parentOf(file: string): string | undefined {
  const folder = basename(dirname(file));
  return folder === "" || folder === "." || folder === "chats" ? undefined : folder;
}
