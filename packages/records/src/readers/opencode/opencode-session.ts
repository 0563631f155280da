import { basename, dirname } from "node:path";
import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject } from "../../trajectory/parse-json.ts";
import type { RecordedPosition, RecordedRun } from "../../trajectory/recorded-run.ts";
import { listField, objectField, optional, textField, timeField } from "../fields.ts";
import { mostFrequent } from "../main-model.ts";
import { createPersonMessages } from "../person-messages.ts";
import { recordedRun } from "../recorded-run.ts";
import { createStepList } from "../step-list.ts";
import { opencodeCall } from "./opencode-tool.ts";
import { opencodeUsage } from "./opencode-usage.ts";

/** The agents with these recordings. */
export type OpencodeSource = "opencode" | "kilo";

/** The agent whose place a file or a folder is in. */
export function opencodeSource(path: string): OpencodeSource {
  return basename(path).startsWith("kilo") || basename(dirname(path)) === "kilo" ? "kilo" : "opencode";
}

/** What opencode records about a session, whatever the place: its columns, its file or the head of an export. */
export interface OpencodeInfo {
  readonly id: string;
  /** Kilo has the same recordings as opencode. */
  readonly source: OpencodeSource;
  readonly parent?: string | undefined;
  readonly directory?: string | undefined;
  /** The first message that the user took back, and all behind it with it. */
  readonly revertedFrom?: string | undefined;
}

/** Collects the messages of a session in their order. */
export interface OpencodeSession {
  /** Returns the kinds of parts that are not known. */
  message(info: JsonObject, parts: readonly JsonObject[], position: RecordedPosition): readonly string[];
  /** The run; undefined without a reply of a model. */
  run(): RecordedRun | undefined;
}

/** Kinds of parts that hold nothing of a run: files, snapshots, and requests that failed and were repeated. */
const silentParts = new Set(["reasoning", "file", "snapshot", "patch", "agent", "retry", "compaction", "subtask"]);
/** What opencode writes in front of a command that the user ran in the shell. */
const shellPrompt = "The following tool was executed by the user";

/** Creates an empty session. */
export function createOpencodeSession(info: OpencodeInfo): OpencodeSession {
  const steps = createStepList();
  const providers: string[] = [];
  const counts = { rewoundMessages: 0, syntheticReplies: 0, withoutUsage: 0 };
  let task: string | undefined;
  let outcome: string | undefined;
  let project = info.directory;
  const prompts = createPersonMessages();
  let isShell = false;
  let isReverted = false;

  function addPrompt(parts: readonly JsonObject[]): void {
    isShell = parts.some((part) => part["text"] === shellPrompt);
    const texts = parts.filter(({ type, synthetic, ignored }) => type === "text" && !synthetic && !ignored);
    const text = textField(texts.flatMap((part) => textField(part["text"]) ?? []).join("\n"));
    if (text === undefined && !parts.some(({ type }) => type === "file" || type === "subtask")) return;
    task ??= text;
    if (info.parent === undefined) prompts.add(text); // the prompt of a subagent is its parent's
  }

  function addReply(message: JsonObject, parts: readonly JsonObject[], position: RecordedPosition): readonly string[] {
    const { modelID, providerID, summary, error, path } = message;
    const time = objectField(message["time"]);
    const model = textField(modelID);
    const at = timeField(time["created"]);
    const request = (index: number) =>
      at === undefined ? {} : { request: `${at} ${String(time["completed"])} ${String(modelID)} ${index}` };
    outcome = textField(objectField(error)["name"]);
    project ??= textField(objectField(path)["cwd"]);
    const finishes = parts.filter(({ type }) => type === "step-finish");
    const whole = opencodeUsage(message["tokens"], message["cost"]);
    const isEmpty = !parts.some(({ type, text }) => type === "tool" || (type === "text" && text !== ""));
    if (isEmpty && whole === undefined && finishes.length === 0) return []; // the request failed
    if (typeof providerID === "string") providers.push(providerID);

    const begin = () => {
      steps.reply({
        ...optional("model", model),
        ...optional("at", at),
        ...prompts.take(),
        position,
      });
    };
    begin();
    let finished = 0;
    let isFinished = false;
    const unknown: string[] = [];
    for (const part of parts) {
      const { type } = part;
      if (type === "step-start") {
        if (isFinished) begin(); // earlier versions keep all requests of a turn in one message
        isFinished = false;
      } else if (type === "step-finish") {
        const usage = opencodeUsage(part["tokens"], part["cost"]);
        if (usage !== undefined) steps.amend({ usage: { ...usage, ...request(finished) } });
        else counts.withoutUsage++;
        finished++;
        isFinished = true;
      } else if (type === "text") steps.amend(optional("text", textField(part["text"])));
      else if (type === "tool") addCall(part, position);
      else if (typeof type !== "string" || !silentParts.has(type)) unknown.push(`part ${String(type)}`);
    }
    if (finishes.length === 0) {
      if (whole === undefined) counts.withoutUsage++;
      else steps.amend({ usage: { ...whole, ...request(0) } });
    }
    if (summary === true) steps.compact();
    return unknown;
  }

  function addCall(part: JsonObject, position: RecordedPosition): void {
    const { made, result } = opencodeCall(part);
    const call = steps.call({ ...made, position });
    if (result !== undefined) call.end(result);
  }

  return {
    message(message, parts, position) {
      isReverted ||= info.revertedFrom !== undefined && message["id"] === info.revertedFrom;
      if (isReverted) counts.rewoundMessages++;
      if (message["role"] === "user") {
        addPrompt(parts);
        return [];
      }
      if (message["role"] !== "assistant") return [`message of ${String(message["role"])}`];
      if (!isShell) return addReply(message, parts, position);
      counts.syntheticReplies++; // the command that a person ran, in the model's name
      isShell = false;
      return [];
    },
    run() {
      const { id, source, parent } = info;
      const provider = mostFrequent(providers);
      const counting = steps.counting(counts);
      return recordedRun(steps.steps(), { id, source, provider, task, outcome, project, parent, counting });
    },
  };
}

/** The description of a session in a file or an export. */
export function opencodeInfo(info: JsonObject, fallbackId: string, source: OpencodeSource = "opencode"): OpencodeInfo {
  return {
    id: textField(info["id"]) ?? fallbackId,
    source,
    parent: textField(info["parentID"]),
    directory: textField(info["directory"]),
    revertedFrom: textField(objectField(info["revert"])["messageID"]),
  };
}

/** The objects of a list. */
export function objects(value: unknown): readonly JsonObject[] {
  return listField(value).filter(isObject);
}
