import { createHash } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { openDatabase, type SqliteDatabase } from "../../../packages/records/dist/index.js";
import type { Play } from "../../loop/contestant.ts";
import { outputTokens, system } from "../../loop/conversation.ts";
import { scriptedModel } from "../../loop/scripted-model.ts";
import { type Contestant, databaseName } from "../contestant.ts";

/** What somebody writes who needs a loop that survives a power loss, is logged and is listened to, and nothing else: one transaction a turn, synced. */
export const handWritten: Contestant = {
  async open() {
    return async ({ folder }) => {
      const database = await openDatabase(join(folder, databaseName));
      database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
      database.exec(
        "CREATE TABLE messages (n INTEGER PRIMARY KEY, json TEXT NOT NULL); CREATE TABLE checkpoint (id INTEGER PRIMARY KEY, json TEXT NOT NULL)",
      );
      const log = openSync(join(folder, "log.jsonl"), "a");
      const close = () => {
        closeSync(log);
        database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
        database.close();
      };
      return { play: play(database, log), close };
    };
  },
  jsonBytes:
    "SELECT (SELECT sum(octet_length(json)) FROM messages) + (SELECT sum(octet_length(json)) FROM checkpoint) AS bytes",
};

/** How many prints of calls and results the checkpoint holds, as one would to notice a call that is made again and again. */
const keptPrints = 20;

type Heard = { readonly type: string; readonly text?: string };

function play(database: SqliteDatabase, log: number): Play {
  return async (conversation, meter) => {
    const begin = database.prepare("BEGIN IMMEDIATE");
    const commit = database.prepare("COMMIT");
    const insert = database.prepare("INSERT INTO messages (json) VALUES (?)");
    const overwrite = database.prepare("INSERT OR REPLACE INTO checkpoint VALUES (1, ?)");
    const model = scriptedModel(conversation, meter);
    const results = new Map(conversation.turns.map(({ path, result }) => [path, result]));
    const tools = { read_file: ({ path }: { readonly path: string }) => results.get(path) ?? "" };
    const messages: unknown[] = [{ role: "system", content: system }];
    const prints: string[] = [];
    let unsaved: string[] = [];
    let turn = 0;
    let inputTokens = 0;

    let [characters, ends, events] = [0, 0, 0];
    const listeners: readonly ((event: Heard) => void)[] = [
      ({ type, text = "" }) => {
        if (type === "delta") characters += text.length;
      },
      ({ type }) => {
        if (type === "end") ends += 1;
      },
      () => {
        events += 1;
      },
    ];
    const tell = (event: Heard) => {
      for (const listener of listeners) listener(event);
    };
    const add = (message: unknown) => {
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

    add({ role: "user", content: [{ type: "text", text: conversation.prompt }] });
    save();
    for (let calls = 0; ; calls += 1) {
      tell({ type: "turn" });
      const { stream } = await model.doStream({ prompt: messages });
      const reader = stream.getReader();
      let text = "";
      let call: { readonly toolCallId: unknown; readonly input: { readonly path: string } } | undefined;
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        if (part.value.type === "text-delta") {
          text += String(part.value["delta"]);
          tell({ type: "delta", text: String(part.value["delta"]) });
        }
        if (part.value.type === "tool-call")
          call = { toolCallId: part.value["toolCallId"], input: JSON.parse(String(part.value["input"])) };
        if (part.value.type === "finish")
          inputTokens += (part.value["usage"] as { readonly inputTokens: { readonly total: number } }).inputTokens
            .total; // as scripted
      }
      turn += 1;
      if (call === undefined) {
        add({ role: "assistant", content: [{ type: "text", text }] });
        save();
        tell({ type: "answer" });
        return { characters, calls, kept: { messages, ends, events } };
      }
      const toolName = "read_file";

      add({
        role: "assistant",
        content: [
          { type: "text", text },
          { type: "tool-call", toolName, ...call },
        ],
      });
      tell({ type: "start" });
      const value = await tools[toolName](call.input);
      tell({ type: "end" });
      add({
        role: "tool",
        content: [{ type: "tool-result", toolCallId: call.toolCallId, toolName, output: { type: "text", value } }],
      });
      prints.push(`${sha256(`${toolName} ${JSON.stringify(call.input)}`)} ${sha256(value)}`);
      if (prints.length > keptPrints) prints.shift();
      save();
      tell({ type: "saved" });
    }
  };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
