import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject } from "../../trajectory/parse-json.ts";
import type { RecordedRun } from "../../trajectory/recorded-run.ts";
import { listField, textField } from "../fields.ts";
import { areMost } from "../most-lines.ts";
import { runItem, skip } from "../read-item.ts";
import type { DocumentReader, LineParser, LineReader, LineResult } from "../reader.ts";
import { type Chat, createChat } from "./chat.ts";

const label = "gemini-cli";

/** Reads the chats of gemini-cli: `~/.gemini/tmp/<project>/chats/*.jsonl`. */
export const geminiChatReader: LineReader = {
  type: "lines",
  format: "gemini-cli",
  label,
  recognizes: (lines) => lines.some((line) => isMeta(line) || isReply(line)) && areMost(lines, isChatLine),
  open: openChat,
};

/** Reads the chats of earlier versions: one document each. */
export const geminiDocumentReader: DocumentReader = {
  type: "document",
  format: "gemini-cli",
  label,
  recognizes: (document) => isObject(document) && isMeta(document) && isWhole(document),
  *read(document, file) {
    const chat = createChat(file);
    if (isObject(document)) readWhole(chat, document);
    const run = chat.run();
    if (run === undefined) yield skip(file, 0, `it is a ${label} recording without a reply of a model`);
    else yield runItem(run, file);
  },
};

function isMeta({ sessionId, projectHash }: JsonObject): boolean {
  return typeof sessionId === "string" && typeof projectHash === "string";
}

function isWhole({ messages }: JsonObject): boolean {
  return Array.isArray(messages);
}

function isChatLine(line: JsonObject): boolean {
  return isMeta(line) || isMessage(line) || isObject(line["$set"]) || typeof line["$rewindTo"] === "string";
}

const messageTypes: ReadonlySet<unknown> = new Set(["user", "gemini", "info", "error", "warning"]);

function isMessage({ type, id, timestamp }: JsonObject): boolean {
  return messageTypes.has(type) && typeof id === "string" && typeof timestamp === "string";
}

function isReply(line: JsonObject): boolean {
  return line["type"] === "gemini" && isMessage(line);
}

function readWhole(chat: Chat, document: JsonObject): void {
  const { messages, ...meta } = document;
  chat.meta(meta);
  for (const [index, message] of listField(messages).entries())
    if (isObject(message)) chat.message(message, { entry: `message ${textField(message["id"]) ?? index + 1}` });
}

function openChat(file: string): LineParser {
  const chat = createChat(file);

  function line(value: JsonObject, number: number): LineResult {
    const { $set: update, $rewindTo: target } = value;
    if (typeof target === "string") chat.rewindTo(target);
    else if (isObject(update)) {
      const { messages, ...meta } = update;
      chat.meta(meta);
      if (Array.isArray(messages)) chat.checkpoint(messages, { line: number });
    } else if (typeof value["id"] === "string") {
      const unknown = chat.message(value, { line: number });
      if (unknown !== undefined) return { unknown };
    } else if (isMeta(value)) readWhole(chat, value);
    else return { unknown: textField(value["type"]) ?? "line without a type" };
    return "read";
  }

  return { line, end: () => [chat.run()].filter((run): run is RecordedRun => run !== undefined) };
}
