import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject } from "../../trajectory/parse-json.ts";
import type { RecordedPosition, RecordedRun } from "../../trajectory/recorded-run.ts";
import { listField, objectField, optional, textField, timeField } from "../fields.ts";
import { createPersonMessages } from "../person-messages.ts";
import type { LineResult } from "../reader.ts";
import { recordedRun } from "../recorded-run.ts";
import { type CallResult, createStepList } from "../step-list.ts";
import { callArguments, contentText } from "./content.ts";
import { requestUsage } from "./request-usage.ts";

/** Collects messages of the chat API and items of the Responses API, also Anthropic's messages, in their order. */
export interface Conversation {
  add(item: JsonObject, position: RecordedPosition): LineResult;
  /** The usage of the newest reply, stated beside the messages; ignored if replies state their own. */
  addUsage(usage: unknown, request: string | undefined): void;
  /** Whether there is no reply. */
  readonly isEmpty: boolean;
  /** undefined without a reply. */
  run(about: RunFacts): RecordedRun | undefined;
}

/** What is known of the run besides its messages. */
interface RunFacts {
  readonly id: string;
  readonly model?: string | undefined;
  readonly outcome?: string | undefined;
}

/** Creates an empty conversation. */
export function createConversation(): Conversation {
  const steps = createStepList();
  let task: string | undefined;
  const prompts = createPersonMessages();
  let isReplyOpen = false;
  let replies = 0;
  let repliesWithOwnUsage = 0;
  let isNewestStated = true; // or there is none
  let repliesWithUsage = 0;

  /** Begins a step. The items of one reply of the Responses API belong to one step. */
  function reply(item: JsonObject, position: RecordedPosition): void {
    const { id, usage, model, timestamp, created_at: createdAt } = item;
    const ownUsage = requestUsage(usage, textField(id));
    if (ownUsage !== undefined) repliesWithUsage++;
    if (ownUsage !== undefined) repliesWithOwnUsage++;
    isNewestStated = false;
    replies++;
    steps.reply({
      ...optional("model", textField(model)),
      ...optional("at", timeField(timestamp) ?? timeField(createdAt)),
      ...optional("usage", ownUsage),
      ...prompts.take(),
      position,
    });
  }

  function call(id: unknown, name: unknown, args: unknown): void {
    const known = textField(name);
    if (known !== undefined) steps.call({ id: textField(id), name: known, args });
  }

  function addAssistant(item: JsonObject, position: RecordedPosition): void {
    reply(item, position);
    const { content, tool_calls: toolCalls, function_call: legacyCall } = item;
    steps.amend({ text: contentText(content) });
    for (const each of listField(toolCalls)) addToolCall(objectField(each));
    if (isObject(legacyCall)) call(legacyId, legacyCall["name"], callArguments(legacyCall["arguments"]));
    for (const part of listField(content)) {
      const { type, id, name, input } = objectField(part);
      if (type === "tool_use") call(id, name, input);
    }
  }

  function addToolCall({ id, function: called, custom, name, arguments: args }: JsonObject): void {
    const { name: calledName = name, arguments: calledArgs = args, input } = objectField(called ?? custom);
    call(id, calledName, callArguments(calledArgs ?? input));
  }

  function result(id: unknown, answer: CallResult): LineResult {
    return steps.result(textField(id), answer) ? "read" : { malformed: "this is the result of an unknown call" };
  }

  function addPerson(content: unknown): LineResult {
    const results = listField(content)
      .map(objectField)
      .filter(({ type }) => type === "tool_result");
    const outcomes = results.map(({ tool_use_id: id, content: answer, is_error: isError }) =>
      result(id, { result: contentText(answer), isError: typeof isError === "boolean" ? isError : null }),
    );
    const text = contentText(content);
    if (results.length === 0 || text !== "") {
      prompts.add(text);
      task ??= textField(text);
    }
    return outcomes.find((outcome) => outcome !== "read") ?? "read";
  }

  function addMessage(item: JsonObject, position: RecordedPosition): LineResult {
    const { role, content, tool_call_id: id } = item;
    isReplyOpen = role === "assistant" && item["type"] === "message";
    if (role === "user") return addPerson(content);
    if (role === "tool") return result(id, { result: contentText(content) });
    if (role === "function") return result(legacyId, { result: contentText(content) });
    if (role === "assistant") addAssistant(item, position);
    return isRole(role) ? "read" : { unknown: `message of ${String(role)}` };
  }

  /** A call, a result or a reasoning of the Responses API. */
  function addItem(item: JsonObject, position: RecordedPosition): LineResult {
    const { type, call_id: callId, id, output } = item;
    if (typeof type !== "string") return { unknown: "an item without a type" };
    if (callTypes.has(type)) {
      if (!isReplyOpen) reply({}, position);
      isReplyOpen = true;
      const { name = type, arguments: args, input, action } = item;
      call(callId ?? id, name, callArguments(args ?? input ?? action));
      return "read";
    }
    if (!outputTypes.has(type)) return otherTypes.has(type) ? "read" : { unknown: type };
    isReplyOpen = false;
    return result(callId, { result: typeof output === "string" ? output : contentText(output) });
  }

  return {
    add(item, position) {
      const { type, role, content } = item;
      if (role === undefined || (type !== undefined && type !== "message")) return addItem(item, position);
      if (role !== "assistant" || type !== "message" || !isReplyOpen) return addMessage(item, position);
      steps.amend({ text: contentText(content) }); // the items of one reply of the Responses API are one step
      return "read";
    },
    addUsage(value, request) {
      const usage = requestUsage(value, request);
      if (usage === undefined || isNewestStated || repliesWithOwnUsage > 0) return;
      repliesWithUsage++;
      isNewestStated = true;
      steps.amend({ usage });
    },
    get isEmpty() {
      return steps.isEmpty;
    },
    run({ id, model, outcome }) {
      const counting = steps.counting({ withoutUsage: Math.max(0, replies - repliesWithUsage) });
      return recordedRun(steps.steps(), { id, source: "openai-chat", model, task, outcome, counting });
    },
  };
}

/** Stands for the ids that calls of the older API do not have. */
const legacyId = "function_call";

const roles = ["system", "developer", "user", "assistant", "tool", "function"];

/** Whether this is a role of the chat API. */
export function isRole(value: unknown): boolean {
  return roles.some((role) => role === value);
}

const callTypes = new Set([
  ...["function_call", "custom_tool_call", "local_shell_call", "shell_call", "apply_patch_call", "mcp_call"],
  ...["web_search_call", "file_search_call", "code_interpreter_call", "computer_call"],
]);
const outputTypes = new Set([
  ...["function_call_output", "custom_tool_call_output", "local_shell_call_output", "shell_call_output"],
  ...["apply_patch_call_output", "computer_call_output"],
]);
const otherTypes = new Set(["message", "reasoning"]);

/** Whether this is a type of an item of the Responses API. */
export function isItemType(value: unknown): boolean {
  return typeof value === "string" && (callTypes.has(value) || outputTypes.has(value) || otherTypes.has(value));
}
