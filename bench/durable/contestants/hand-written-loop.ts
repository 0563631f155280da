import { createHash } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { openDatabase, type SqliteDatabase } from "../../../packages/records/dist/index.js";
import type { RunConversation } from "../../loop/contestant.ts";
import { createReadTool } from "../../loop/contestants/read-tool.ts";
import { outputTokens, system, toolName } from "../../loop/conversation.ts";
import { scriptedModel } from "../../loop/scripted-model.ts";
import { type Contestant, databaseName, jsonColumnBytes } from "../contestant.ts";

/**
 * A loop written for one purpose: it survives a power loss, writes a log and calls listeners. Each turn is one
 * transaction that is synced.
 */
export const handWrittenLoop: Contestant = {
  load:
    async () =>
    async ({ folder }) => {
      const database = await openDatabase(join(folder, databaseName));
      database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
      database.exec("CREATE TABLE messages (n INTEGER PRIMARY KEY, json TEXT NOT NULL)");
      database.exec("CREATE TABLE checkpoint (id INTEGER PRIMARY KEY, json TEXT NOT NULL)");
      const log = openSync(join(folder, "log.jsonl"), "a");
      const close = () => {
        closeSync(log);
        database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
        database.close();
      };
      return { run: runWith(database, log), close };
    },
  jsonBytes: jsonColumnBytes,
};

/** How many prints of calls and results the checkpoint holds, enough to notice a repeated call. */
const maxPrints = 20;

type Event = { readonly type: string; readonly text?: string };

interface Call {
  readonly toolCallId: unknown;
  readonly input: { readonly path: string };
}

function runWith(database: SqliteDatabase, log: number): RunConversation {
  return async (conversation, meter) => {
    const begin = database.prepare("BEGIN IMMEDIATE");
    const commit = database.prepare("COMMIT");
    const insert = database.prepare("INSERT INTO messages (json) VALUES (?)");
    const overwrite = database.prepare("INSERT OR REPLACE INTO checkpoint VALUES (1, ?)");
    const model = scriptedModel(conversation, meter);
    const { execute, calls } = createReadTool(conversation);
    const messages: unknown[] = [{ role: "system", content: system }];
    const prints: string[] = [];
    let unsaved: string[] = [];
    let turn = 0;
    let inputTokens = 0;

    let [characters, finishedCalls, events] = [0, 0, 0];
    const listeners: readonly ((event: Event) => void)[] = [
      ({ type, text = "" }) => {
        if (type === "delta") characters += text.length;
      },
      ({ type }) => {
        if (type === "end") finishedCalls += 1;
      },
      () => {
        events += 1;
      },
    ];
    const emit = (event: Event) => {
      for (const listener of listeners) listener(event);
    };
    const append = (message: unknown) => {
      messages.push(message);
      const json = JSON.stringify(message);
      unsaved.push(json);
      writeSync(log, `${json}\n`);
    };
    const save = () => {
      begin.run();
      for (const json of unsaved) insert.run(json);
      overwrite.run(JSON.stringify({ turn, inputTokens, outputTokens: turn * outputTokens, prints }));
      commit.run();
      unsaved = [];
    };

    append({ role: "user", content: [{ type: "text", text: conversation.prompt }] });
    save();
    for (;;) {
      emit({ type: "turn" });
      const { stream } = await model.doStream({ prompt: messages });
      const reader = stream.getReader();
      let text = "";
      let call: Call | undefined;
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        if (part.value.type === "text-delta") {
          text += String(part.value["delta"]);
          emit({ type: "delta", text: String(part.value["delta"]) });
        }
        if (part.value.type === "tool-call")
          call = { toolCallId: part.value["toolCallId"], input: JSON.parse(String(part.value["input"])) };
        if (part.value.type === "finish") inputTokens += inputTokensIn(part.value["usage"]);
      }
      turn += 1;
      if (call === undefined) {
        append({ role: "assistant", content: [{ type: "text", text }] });
        save();
        emit({ type: "answer" });
        return { characters, calls: calls(), retained: { messages, finishedCalls, events } };
      }

      const toolCall = { type: "tool-call", toolName, ...call };
      append({ role: "assistant", content: [{ type: "text", text }, toolCall] });
      emit({ type: "start" });
      const value = await execute(call.input);
      emit({ type: "end" });
      const output = { type: "text", value };
      append({ role: "tool", content: [{ type: "tool-result", toolCallId: call.toolCallId, toolName, output }] });
      prints.push(`${sha256(`${toolName} ${JSON.stringify(call.input)}`)} ${sha256(value)}`);
      if (prints.length > maxPrints) prints.shift();
      save();
      emit({ type: "saved" });
    }
  };
}

function inputTokensIn(usage: unknown): number {
  return (usage as { readonly inputTokens: { readonly total: number } }).inputTokens.total; // as scripted
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
