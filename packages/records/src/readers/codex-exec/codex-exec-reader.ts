import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject } from "../../trajectory/parse-json.ts";
import type { RecordedRun } from "../../trajectory/recorded-run.ts";
import { textField } from "../fields.ts";
import { areMost } from "../most-lines.ts";
import type { LineParser, LineReader, LineResult } from "../reader.ts";
import { createExecThread, type ExecThread } from "./exec-thread.ts";

/** Reads what `codex exec --json` prints. It names neither a model nor a folder nor a time. */
export const codexExecReader: LineReader = {
  type: "lines",
  format: "codex",
  label: "codex exec --json",
  recognizes: (lines) => lines.some(isStrong) && areMost(lines, isExecLine),
  open: openExecStream,
};

function isStrong(line: JsonObject): boolean {
  return isStart(line) || isItem(line);
}

function isExecLine(line: JsonObject): boolean {
  return isStrong(line) || /^(?:turn\.(?:started|completed|failed)|error)$/.test(textField(line["type"]) ?? "");
}

function isStart({ type, thread_id }: JsonObject): boolean {
  return type === "thread.started" && typeof thread_id === "string";
}

const itemTypes: ReadonlySet<unknown> = new Set(["item.started", "item.updated", "item.completed"]);

function isItem({ type, item }: JsonObject): boolean {
  return itemTypes.has(type) && isObject(item) && typeof item["type"] === "string";
}

/** A file can hold the streams of several threads, one behind the other. */
function openExecStream(file: string): LineParser {
  const threads: ExecThread[] = [];

  function start(id: string): LineResult {
    const newest = threads.at(-1);
    if (newest?.id !== id) threads.push(createExecThread(id));
    return "read";
  }

  function current(): ExecThread {
    const newest = threads.at(-1);
    if (newest !== undefined) return newest;
    const thread = createExecThread(file); // the first line is missing
    threads.push(thread);
    return thread;
  }

  return {
    line(value, line) {
      const kind = textField(value["type"]) ?? "line without a type";
      switch (kind) {
        case "thread.started":
          return start(textField(value["thread_id"]) ?? file);
        case "turn.started":
          current().turnStarted();
          return "read";
        case "turn.completed":
          current().turnCompleted(value["usage"]);
          return "read";
        case "turn.failed":
        case "error":
          current().failed();
          return "read";
        case "item.started":
        case "item.updated":
        case "item.completed":
          if (!isObject(value["item"])) return { malformed: "item is no object" };
          return current().item(kind, value["item"], line);
        default:
          return { unknown: kind };
      }
    },
    end: () => threads.map((thread) => thread.run()).filter((run): run is RecordedRun => run !== undefined),
  };
}
