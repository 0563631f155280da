import type { JsonObject } from "../../trajectory/json-fields.ts";
import type { RecordedPosition, RecordedRun, RecordedStatus } from "../../trajectory/recorded-run.ts";
import { addUsage } from "../add-usage.ts";
import { objectField, optional, textField, timeField } from "../fields.ts";
import { createPersonMessages } from "../person-messages.ts";
import { recordedRun } from "../recorded-run.ts";
import { createStepList, type OpenCall } from "../step-list.ts";
import { activeBranch, type EventLink } from "./event-tree.ts";
import { contentText, parsedArguments, without } from "./openhands-content.ts";
import type { OpenhandsRequest, OpenhandsRequests } from "./openhands-usage.ts";

/** Collects the events of a conversation in their order. */
export interface OpenhandsConversation {
  /** Returns the kind of an event that is not known, or what is wrong with it. */
  event(
    event: JsonObject,
    position: RecordedPosition,
  ): { readonly unknown: string } | { readonly why: string } | "read";
  /** The run; undefined without a reply of a model. */
  run(): RecordedRun | undefined;
}

/** What is known about a conversation beside its events. */
export interface OpenhandsHead {
  readonly id: string;
  readonly parent?: string | undefined;
  /** `base_state.json`. */
  readonly state: JsonObject;
  readonly requests: OpenhandsRequests;
}

/** Kinds of events that hold nothing of a run. */
const silentKinds = new Set([
  ...["SystemPromptEvent", "CondensationRequest", "CondensationSummaryEvent", "PauseEvent", "InterruptEvent"],
  ...["ConversationStateUpdateEvent", "TokenEvent", "LLMCompletionLogEvent", "HookExecutionEvent"],
  ...["StreamingDeltaEvent", "ResumeTranscriptEvent"],
]);

/** Creates an empty conversation. */
export function createOpenhandsConversation({ id, parent, state, requests }: OpenhandsHead): OpenhandsConversation {
  const steps = createStepList();
  const actions = new Map<string, string>(); // the newest action of each tool call
  const foreignCalls = new Map<string, OpenCall>(); // those that are not finished
  const links: EventLink[] = [];
  const replies: string[] = [];
  const mainRequest = textField(objectField(objectField(state["agent"])["llm"])["model"]);
  let withoutUsage = 0;
  let response: string | undefined;
  let hasOpenCalls = false; // all calls of a reply come before their results
  let task: string | undefined;
  let error: string | undefined;
  const prompts = createPersonMessages();

  function beginReply(event: JsonObject, text: string, position: RecordedPosition): void {
    const responseId = textField(event["llm_response_id"]);
    const request = responseId === undefined ? undefined : requests.take(responseId);
    response = responseId;
    hasOpenCalls = false;
    if (request === undefined) withoutUsage++;
    replies.push(String(event["id"]));
    steps.reply({
      text,
      ...optional("model", request?.model ?? mainRequest),
      ...optional("at", timeField(event["timestamp"])),
      ...optional("usage", request?.usage),
      ...prompts.take(),
      position,
    });
  }

  function addMessage(event: JsonObject, position: RecordedPosition): void {
    const text = contentText(objectField(event["llm_message"])["content"]);
    if (event["source"] === "agent") beginReply(event, text, position);
    if (event["source"] !== "user") return; // otherwise it is the feedback of a hook
    task ??= textField(text);
    if (parent === undefined) prompts.add(text); // the prompt of a subagent is its parent's
  }

  function addAction(event: JsonObject, position: RecordedPosition): void {
    const text = contentText(event["thought"]);
    const isSameReply = hasOpenCalls && textField(event["llm_response_id"]) === response; // parallel calls
    if (isSameReply) steps.amend(optional("text", textField(text)));
    else beginReply(event, text, position);
    hasOpenCalls = true;
    const { id: eventId, tool_name, tool_call_id, action, tool_call } = event;
    const id = textField(eventId) ?? textField(tool_call_id);
    if (id !== undefined) actions.set(String(tool_call_id), id);
    const call = objectField(tool_call);
    const written = parsedArguments(call["arguments"] ?? objectField(call["function"])["arguments"]);
    steps.call({
      id,
      name: textField(tool_name) ?? "unknown",
      args: action === null || action === undefined ? written : without(objectField(action), "kind"),
      ...optional("at", timeField(event["timestamp"])),
      position,
    });
  }

  function addResult(event: JsonObject, result: Outcome): "read" | { readonly why: string } {
    const { action_id, tool_call_id } = event;
    const endedAt = optional("endedAt", timeField(event["timestamp"]));
    const ids = [action_id, actions.get(String(tool_call_id)), tool_call_id].map(textField);
    const isKnown = ids.some((callId) => steps.result(callId, { ...result, ...endedAt }));
    if (event["kind"] !== "AgentErrorEvent") hasOpenCalls = false;
    return isKnown ? "read" : { why: "this is the result of a call that is not in the recording before it" };
  }

  function addForeignCall(event: JsonObject, position: RecordedPosition): void {
    const { tool_call_id, title, tool_kind, raw_input, raw_output, content, status, is_error } = event;
    const id = String(tool_call_id);
    if (!foreignCalls.has(id)) {
      if (steps.isEmpty || !prompts.isEmpty) beginReply(event, "", position);
      const at = optional("at", timeField(event["timestamp"]));
      const name = textField(tool_kind) ?? textField(title) ?? "unknown";
      foreignCalls.set(id, steps.call({ name, args: raw_input, ...at }));
    }
    if (status !== "completed" && status !== "failed") return;
    foreignCalls.get(id)?.end({ result: raw_output ?? content, isError: is_error === true || status === "failed" });
    foreignCalls.delete(id);
  }

  function addCondensation(event: JsonObject, position: RecordedPosition): void {
    const request = requests.take(textField(event["llm_response_id"]) ?? "");
    hasOpenCalls = false;
    if (request !== undefined) {
      const at = optional("at", timeField(event["timestamp"]));
      const text = textField(event["summary"]) ?? "";
      steps.reply({ text, ...optional("model", request.model), ...at, usage: request.usage, position });
    }
    steps.compact();
  }

  return {
    event(event, position) {
      const kind = String(event["kind"]);
      links.push({ id: String(event["id"]), parent: event["parent_id"] });
      if (kind === "MessageEvent") addMessage(event, position);
      else if (kind === "ActionEvent") addAction(event, position);
      else if (kind === "ObservationEvent") return addResult(event, observed(objectField(event["observation"])));
      else if (kind === "AgentErrorEvent") return addResult(event, failed(textField(event["error"]) ?? ""));
      else if (kind === "UserRejectObservation")
        return addResult(event, { result: event["rejection_reason"], isError: true, status: "denied" });
      else if (kind === "ACPToolCallEvent") addForeignCall(event, position);
      else if (kind === "Condensation") addCondensation(event, position);
      else if (kind === "ConversationErrorEvent") error = textField(event["code"]) ?? "error";
      else if (!silentKinds.has(kind)) return { unknown: kind };
      return "read";
    },
    run() {
      if (steps.isEmpty) return undefined;
      const branch = activeBranch(links, textField(state["leaf_event_id"]));
      const rewoundMessages = branch === undefined ? 0 : replies.filter((reply) => !branch.has(reply)).length;
      return recordedRun(withRest(steps.steps(), requests.rest()), {
        id,
        source: "openhands",
        model: mainRequest,
        task,
        outcome: error ?? endOf(state["execution_status"] ?? state["agent_status"]),
        project: textField(objectField(state["workspace"])["working_dir"]),
        parent,
        counting: steps.counting({ rewoundMessages, withoutUsage }),
      });
    },
  };
}

interface Outcome {
  readonly result: unknown;
  readonly isError: boolean;
  readonly status?: RecordedStatus;
}

/** The result of a tool. A command that fails is no error for OpenHands: its exit code tells. */
function observed(observation: JsonObject): Outcome {
  const { content, output, is_error, exit_code, timeout, error } = observation;
  const text = contentText(content) || contentText(output) || (textField(error) ?? "");
  const result = text === "" ? without(observation, "kind") : text;
  if (timeout === true) return { result, isError: true, status: "timeout" };
  const hasFailed = typeof exit_code === "number" && exit_code > 0;
  return { result, isError: is_error === true || textField(error) !== undefined || hasFailed };
}

/** An error with which OpenHands itself answers a call. */
function failed(error: string): Outcome {
  const result = { result: error, isError: true };
  if (/^Tool '.*' not found/.test(error)) return { ...result, status: "unknown-tool" };
  return /^Error validating/.test(error) ? { ...result, status: "invalid-arguments" } : result;
}

const ends = new Set(["finished", "error", "stuck"]);

function endOf(status: unknown): string | undefined {
  return typeof status === "string" && ends.has(status) ? status : undefined;
}

/** Requests that no event names, such as one for a title, belong to the first step. */
function withRest(steps: RecordedRun["steps"], rest: readonly OpenhandsRequest[]): RecordedRun["steps"] {
  const [first, ...later] = steps;
  if (first === undefined || rest.length === 0) return steps;
  const usages = rest.map(({ usage }) => usage);
  const usage = (first.usage === undefined ? usages : [first.usage, ...usages]).reduce(addUsage);
  return [{ ...first, usage }, ...later];
}
