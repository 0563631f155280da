import type { SqliteDatabase } from "../../platform/sqlite.ts";
import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject, parseJson } from "../../trajectory/parse-json.ts";
import type { RecordedRun } from "../../trajectory/recorded-run.ts";
import type { SessionProblem } from "../database-sessions.ts";
import { objectField, optional, textField, timeField } from "../fields.ts";
import { mostFrequent } from "../main-model.ts";
import { createPersonMessages } from "../person-messages.ts";
import { recordedRun } from "../recorded-run.ts";
import { type CallResult, createStepList } from "../step-list.ts";
import { type OpencodeInfo, objects } from "./opencode-session.ts";
import { failureStatus } from "./opencode-tool.ts";
import { opencodeUsage } from "./opencode-usage.ts";

/** Kinds of messages that hold nothing of a run: switches, what opencode adds, and commands that a person ran. */
const silentKinds = new Set(["agent-switched", "model-switched", "synthetic", "system", "shell", "skill"]);

/** Reads a session from the table `session_message`, in which newer versions keep one row a message. */
export function readNewerSession(
  database: SqliteDatabase,
  info: OpencodeInfo,
  report: SessionProblem,
): RecordedRun | undefined {
  const session = createNewerSession(info);
  const rows = database.prepare("SELECT id, type, data FROM session_message WHERE session_id = ? ORDER BY seq, id");
  for (const row of rows.iterate(info.id)) {
    const { id, type, data } = objectField(row);
    const parsed = parseJson(String(data));
    const entry = `message ${String(id)}`;
    if (!parsed.ok || !isObject(parsed.value)) report.damaged(`${entry} is not a JSON object`);
    else if (!session.add(String(type), parsed.value, entry)) report.unknown(`message ${String(type)}`);
  }
  return session.run();
}

interface NewerSession {
  /** Returns false for a kind that is not known. */
  add(type: string, message: JsonObject, entry: string): boolean;
  run(): RecordedRun | undefined;
}

function createNewerSession(info: OpencodeInfo): NewerSession {
  const steps = createStepList();
  const providers: string[] = [];
  let withoutUsage = 0;
  let task: string | undefined;
  const prompts = createPersonMessages();
  let outcome: string | undefined;

  function addReply(message: JsonObject, entry: string): void {
    const { model, tokens, cost, error } = message;
    const time = objectField(message["time"]);
    const { id: modelId, providerID } = objectField(model);
    const usage = opencodeUsage(tokens, cost);
    const content = objects(message["content"]);
    outcome = textField(objectField(error)["message"]) === undefined ? undefined : "error";
    const texts = content.flatMap(({ type, text }) => (type === "text" ? (textField(text) ?? []) : []));
    const tools = content.filter(({ type }) => type === "tool");
    if (usage === undefined && texts.length === 0 && tools.length === 0) return; // the request failed
    if (usage === undefined) withoutUsage++;
    if (typeof providerID === "string") providers.push(providerID);
    const request = `${String(time["created"])} ${String(time["completed"])} ${String(modelId)} 0`;
    steps.reply({
      text: texts.join("\n"),
      ...optional("model", textField(modelId)),
      ...optional("at", timeField(time["created"])),
      ...optional("usage", usage === undefined ? undefined : { ...usage, request }),
      ...prompts.take(),
      position: { entry },
    });
    for (const tool of tools) addCall(tool, entry);
  }

  function addCall(tool: JsonObject, entry: string): void {
    const state = objectField(tool["state"]);
    const time = objectField(tool["time"]);
    const { sessionId } = objectField(state["structured"]);
    const call = steps.call({
      name: textField(tool["name"]) ?? "unknown",
      args: state["input"],
      ...optional("at", timeField(time["ran"]) ?? timeField(time["created"])),
      ...optional("child", textField(sessionId)),
      position: { entry },
    });
    const result = callResult(state);
    const endedAt = optional("endedAt", timeField(time["completed"]));
    if (result !== undefined) call.end({ ...result, ...endedAt });
  }

  return {
    add(type, message, entry) {
      if (type === "assistant") addReply(message, entry);
      else if (type === "user") {
        const text = textField(message["text"]);
        task ??= text;
        if (info.parent === undefined) prompts.add(text);
      } else if (type === "compaction") steps.compact();
      else return silentKinds.has(type);
      return true;
    },
    run() {
      const { id, source, directory: project, parent } = info;
      const provider = mostFrequent(providers);
      const counting = steps.counting({ withoutUsage });
      return recordedRun(steps.steps(), { id, source, provider, task, outcome, project, parent, counting });
    },
  };
}

function callResult(state: JsonObject): CallResult | undefined {
  const { status, structured, result } = state;
  const texts = objects(state["content"]).flatMap((item) => textField(item["text"]) ?? []);
  const output = texts.length > 0 ? texts.join("\n") : result;
  const { exit } = objectField(structured);
  if (status === "completed") return { result: output, isError: typeof exit === "number" && exit !== 0 };
  if (status !== "error") return undefined;
  const error = textField(objectField(state["error"])["message"]) ?? "";
  return { result: error || output, isError: true, ...optional("status", failureStatus(error, {})) };
}
