import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject } from "../../trajectory/parse-json.ts";
import type { RecordedRun, RecordedStatus } from "../../trajectory/recorded-run.ts";
import { listField, objectField, optional, textField, timeField } from "../fields.ts";
import { createPersonMessages } from "../person-messages.ts";
import { recordedRun } from "../recorded-run.ts";
import { type CallResult, createStepList } from "../step-list.ts";
import { contentText, parsedArguments, without } from "./openhands-content.ts";
import { createTrajectoryUsage } from "./trajectory-usage.ts";

/** Collects the events of a trajectory in their order. */
export interface OpenhandsTrajectory {
  /** Returns the kind of an event that is not known. `entry` names it, where it has no line. */
  event(event: JsonObject, entry?: string): string | undefined;
  /** The run; undefined without a reply of a model. */
  run(): RecordedRun | undefined;
}

const silentActions = new Set([
  ...["system", "null", "start", "pause", "resume", "stop", "change_agent_state", "recall", "condensation_request"],
  ...["loop_recovery", "initialize", "add_task", "modify_task"],
]);
/** Arguments that are no input of the tool: what the model thought, and how it is executed. */
const otherArgs = ["thought", "blocking", "hidden", "is_input", "is_static", "confirmation_state", "security_risk"];

/** Creates an empty trajectory. `line` is its line, where a file holds several. */
export function createOpenhandsTrajectory(id: string, line?: number): OpenhandsTrajectory {
  const steps = createStepList();
  const usages = createTrajectoryUsage();
  let withoutUsage = 0;
  const calls = new Map<string, string>(); // the newest call of each tool call id
  let newestReply: string | undefined; // as a text: its id may not be unique
  let callsOfReply = 0;
  let task: string | undefined;
  let outcome: string | undefined;
  const prompts = createPersonMessages();

  function beginReply(event: JsonObject, text: string, entry: string | undefined): void {
    const { model, usage } = usages.of(event);
    if (usage === undefined) withoutUsage++;
    steps.reply({
      text,
      ...optional("model", model),
      ...optional("at", timeField(event["timestamp"])),
      ...optional("usage", usage),
      ...prompts.take(),
      position: { ...optional("line", line), ...optional("entry", entry) },
    });
  }

  function addCall(event: JsonObject, entry: string | undefined): void {
    const { action, args: recorded, tool_call_metadata, id: eventId } = event;
    const args = objectField(recorded);
    const metadata = objectField(tool_call_metadata);
    const reply = objectField(metadata["model_response"]);
    const written = reply["choices"] === undefined ? undefined : JSON.stringify(reply);
    const text = textField(args["thought"]) ?? messageOf(reply);
    const isSameReply = written !== undefined && written === newestReply; // parallel calls
    if (!isSameReply) beginReply(event, text, entry);
    newestReply = written;
    callsOfReply = isSameReply ? callsOfReply + 1 : 1;
    const toolCallId = textField(metadata["tool_call_id"]);
    const id = eventId === undefined ? toolCallId : `event ${String(eventId)}`;
    if (id !== undefined && toolCallId !== undefined) calls.set(toolCallId, id);
    const call = steps.call({
      id,
      name: textField(metadata["function_name"]) ?? String(action),
      args: writtenArguments(reply, toolCallId, callsOfReply - 1) ?? without(args, ...otherArgs),
      ...optional("at", timeField(event["timestamp"])),
      position: { ...optional("line", line), ...optional("entry", entry) },
    });
    if (action === "finish") call.end({ result: null, isError: false }); // nothing answers the last call
  }

  function addAction(event: JsonObject, entry: string | undefined): void {
    const { action, source } = event;
    const args = objectField(event["args"]);
    const text = contentText(args["content"]) || (textField(event["message"]) ?? "");
    if (action === "condensation") steps.compact();
    else if (silentActions.has(String(action))) return;
    else if (action === "message" && source !== "agent") {
      task ??= textField(text);
      prompts.add(text);
    } else if (source === "user")
      prompts.add(); // a command that a person ran
    else if (action === "message") {
      newestReply = undefined;
      beginReply(event, text, entry);
    } else addCall(event, entry);
  }

  function addObservation(event: JsonObject): void {
    const { observation, cause, tool_call_metadata } = event;
    const extras = objectField(event["extras"]);
    if (observation === "agent_state_changed") {
      const state = textField(extras["agent_state"]);
      outcome = state === "finished" || state === "error" || state === "rejected" ? state : undefined;
      return;
    }
    const toolCallId = textField(objectField(tool_call_metadata)["tool_call_id"]);
    const ids = [cause === undefined ? undefined : `event ${String(cause)}`, calls.get(toolCallId ?? "")];
    const result = { ...trajectoryResult(event, extras), ...optional("endedAt", timeField(event["timestamp"])) };
    ids.some((id) => steps.result(id, result)); // others answer no call
  }

  return {
    event(event, entry) {
      if (typeof event["observation"] === "string") addObservation(event);
      else if (typeof event["action"] === "string") addAction(event, entry);
      else return "an event that is neither an action nor an observation";
      return undefined;
    },
    run() {
      const counting = steps.counting({ withoutUsage });
      return recordedRun(steps.steps(), { id, source: "openhands", task, outcome, counting });
    },
  };
}

function messageOf(response: JsonObject): string {
  return choices(response)
    .map((message) => contentText(message["content"]))
    .join("\n");
}

function choices(response: JsonObject): readonly JsonObject[] {
  return listField(response["choices"]).map((choice) => objectField(objectField(choice)["message"]));
}

/** The arguments in the model's reply; undefined when the call is not in it. `index` counts where ids do not tell. */
function writtenArguments(response: JsonObject, toolCallId: string | undefined, index: number): unknown {
  const sameId = choices(response)
    .flatMap((message) => listField(message["tool_calls"]))
    .filter(isObject)
    .filter((call) => call["id"] === toolCallId);
  const written = sameId.length === 1 ? sameId[0] : sameId[index];
  return written === undefined ? undefined : parsedArguments(objectField(written["function"])["arguments"]);
}

const timeoutNote = /\[The command (?:has no new output after|timed out after)/;

function trajectoryResult(event: JsonObject, extras: JsonObject): CallResult {
  const { observation } = event;
  const result = contentText(event["content"]) || (textField(event["message"]) ?? "");
  const failed = (status?: RecordedStatus): CallResult => ({ result, isError: true, ...optional("status", status) });
  if (observation === "user_rejected") return failed("denied");
  if (observation === "error") return failed();
  const exitCode = extras["exit_code"] ?? objectField(extras["metadata"])["exit_code"];
  if (exitCode === -1 && timeoutNote.test(result + String(objectField(extras["metadata"])["suffix"])))
    return failed("timeout");
  const isError = (typeof exitCode === "number" && exitCode > 0) || event["success"] === false;
  return { result, isError: isError || textField(extras["error"]) !== undefined };
}
