import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject } from "../../trajectory/parse-json.ts";
import type { RecordedPosition, RecordedRun, RecordedStep, RecordedUsage } from "../../trajectory/recorded-run.ts";
import { addUsage } from "../add-usage.ts";
import { countWithoutUsage } from "../counting-notes.ts";
import { listField, objectField, optional, textField, timeField } from "../fields.ts";
import { createPersonMessages } from "../person-messages.ts";
import { recordedRun } from "../recorded-run.ts";
import { createStepList } from "../step-list.ts";
import { gooseCall, gooseResult } from "./goose-tool.ts";

/** Collects the messages of a session in their order. */
export interface GooseSession {
  /** Returns the kinds of content that are not known. */
  message(message: JsonObject, position: RecordedPosition): readonly string[];
  /** The run; undefined without a reply of a model. */
  run(usages: readonly GooseUsage[]): RecordedRun | undefined;
  /** The sessions that calls of this one started. */
  readonly children: readonly string[];
}

/** What goose records about a session. */
export interface GooseInfo {
  readonly id: string;
  readonly parent?: string | undefined;
  readonly isSubagent?: boolean;
  readonly directory?: string | undefined;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
}

/** The usage of one request, or of all requests of a session together, which then has no time. */
export interface GooseUsage {
  readonly at?: number | undefined;
  readonly model?: string | undefined;
  readonly usage: RecordedUsage;
}

const silentContent = new Set([
  ...["thinking", "redactedThinking", "reasoning", "image", "toolConfirmationRequest", "actionRequired"],
  ...["systemNotification", "contextLengthExceeded", "document"],
]);
const compactions = new Set(["conversationCompacted", "summarizationRequested"]);
/** What goose writes, in the model's name, after it has replaced the conversation by a summary. */
const compactionNote = /^Your context was compacted/;

/** Creates an empty session. */
export function createGooseSession(info: GooseInfo): GooseSession {
  const steps = createStepList();
  const children: string[] = [];
  let syntheticReplies = 0;
  let task: string | undefined;
  let newestReply: string | undefined;
  const prompts = createPersonMessages();

  function addReply(message: JsonObject, content: readonly JsonObject[], position: RecordedPosition): void {
    const text = textOf(content);
    const calls = content.filter(({ type }) => type === "toolRequest" || type === "frontendToolRequest");
    if (isHidden(message) && compactionNote.test(text)) {
      syntheticReplies++;
      steps.compact();
      return;
    }
    if (text === "" && calls.length === 0) return; // a notice for the user
    const id = textField(message["id"]);
    if (id !== undefined && id === newestReply) steps.amend(optional("text", textField(text)));
    else begin(message, text, position);
    newestReply = id;
    const at = optional("at", timeField(message["created"]));
    for (const request of calls) {
      const { call, failure } = gooseCall(request);
      const made = steps.call({ id: textField(request["id"]), ...call, ...at, position });
      if (failure !== undefined) made.end(failure);
    }
  }

  function begin(message: JsonObject, text: string, position: RecordedPosition): void {
    const { requestedModel } = objectField(objectField(message["metadata"])["inference"]);
    steps.reply({
      text,
      ...optional("model", textField(requestedModel) ?? info.model),
      ...optional("at", timeField(message["created"])),
      ...prompts.take(),
      position,
    });
  }

  function addUserMessage(message: JsonObject, content: readonly JsonObject[]): void {
    newestReply = undefined;
    for (const response of content.filter(({ type }) => type === "toolResponse")) {
      const result = gooseResult(response);
      if (result.child !== undefined) children.push(result.child);
      steps.result(textField(response["id"]), result);
    }
    const text = textOf(content);
    if (text === "" || isHidden(message)) return; // a summary or a reminder of goose
    task ??= text;
    if (!(info.isSubagent ?? false)) prompts.add(text);
  }

  return {
    children,
    message(message, position) {
      const content = listField(message["content"]).filter(isObject);
      const kinds = content.map(({ type }) => String(type));
      if (kinds.some((kind) => compactions.has(kind))) steps.compact();
      if (message["role"] === "assistant") addReply(message, content, position);
      else if (message["role"] === "user") addUserMessage(message, content);
      else return [`message of ${String(message["role"])}`];
      return kinds.filter((kind) => !isKnown(kind)).map((kind) => `content ${kind}`);
    },
    run(usages) {
      const list = withUsages(steps.steps(), usages);
      const hasSum = usages.some(({ usage }) => usage.isSum === true);
      const withoutUsage = hasSum ? 0 : countWithoutUsage(list);
      const { id, model, provider, directory: project, parent } = info;
      const counting = steps.counting({ syntheticReplies, withoutUsage });
      return recordedRun(list, { id, source: "goose", model, provider, task, project, parent, counting });
    },
  };
}

const readContent = new Set(["text", "toolRequest", "frontendToolRequest", "toolResponse"]);

function isKnown(kind: string): boolean {
  return readContent.has(kind) || silentContent.has(kind) || compactions.has(kind);
}

/** Whether only the model sees a message. */
function isHidden({ metadata }: JsonObject): boolean {
  return objectField(metadata)["userVisible"] === false && objectField(metadata)["agentVisible"] === true;
}

function textOf(content: readonly JsonObject[]): string {
  return content.flatMap(({ type, text }) => (type === "text" ? (textField(text) ?? []) : [])).join("\n");
}

/**
 * Gives each request to its step: the last one that had begun when the request was recorded. goose records times in
 * seconds, so with as many requests as replies they belong together in their order. A sum of all requests goes to the
 * first step: nothing says when it was spent, and there it never seems to be spent on a loop.
 */
function withUsages(steps: readonly RecordedStep[], usages: readonly GooseUsage[]): readonly RecordedStep[] {
  const own = new Map<number, GooseUsage[]>();
  for (const [order, usage] of usages.entries()) {
    const begun = steps.findLastIndex(({ at }) => at !== undefined && usage.at !== undefined && at <= usage.at + 999);
    const index = usages.length === steps.length ? order : Math.max(0, begun);
    own.set(index, [...(own.get(index) ?? []), usage]);
  }
  return steps.map((step, index) => {
    const requests = own.get(index) ?? [];
    const [first] = requests;
    if (first === undefined) return step;
    return {
      ...step,
      ...optional("model", first.model ?? step.model),
      usage: requests.map(({ usage }) => usage).reduce(addUsage),
    };
  });
}
