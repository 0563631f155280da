import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject } from "../../trajectory/parse-json.ts";
import type { RecordedStep } from "../../trajectory/recorded-run.ts";
import { countWithoutUsage } from "../counting-notes.ts";
import { objectField, optional, textField, timeField } from "../fields.ts";
import { mainModel } from "../main-model.ts";
import type { LineParser, LineResult } from "../reader.ts";
import type { CallResult } from "../step-list.ts";
import { idleEvents, idleLines } from "./known-kinds.ts";
import { personText } from "./messages.ts";
import { createReplyLog } from "./reply-log.ts";
import { callEnd, itemContent, userMessageItem } from "./response-item.ts";
import { createThread } from "./thread.ts";
import { createTokenCounter } from "./token-counts.ts";

/** Where a line stands. */
interface Place {
  readonly line: number;
  readonly at: number | undefined;
}

/** The searches of a step are paid besides its tokens; to open a page that was found is not. */
function withSearches(step: RecordedStep): RecordedStep {
  const { usage, calls } = step;
  const searches = calls.filter(({ name, args }) => name === "web_search" && objectField(args)["type"] === "search");
  if (usage === undefined || searches.length === 0) return step;
  return { ...step, usage: { ...usage, webSearches: searches.length } };
}

/** Reads the lines of one rollout file: one thread, the main one or that of a subagent. */
export function openRollout(file: string): LineParser {
  const thread = createThread(file);
  const log = createReplyLog();
  const tokenCounter = createTokenCounter();
  const callEnds = new Map<string, Partial<CallResult>>();
  const turnStarts: number[] = []; // the number of steps at each message of a person
  let isEnveloped = false; // whether items have an envelope, as they do since the summer of 2025
  /** Whether events tell what a person wrote. Until then a message of the role `user` may be one. */
  let hasTurns = false;
  let repeatedUsage = 0;
  let rewoundMessages = 0;

  function readItem(item: JsonObject, { line, at }: Place): LineResult {
    const content = itemContent(item);
    const start = (key: string) =>
      log.item({
        key,
        thread: thread.origin,
        position: { line },
        ...optional("at", at),
        ...optional("model", thread.model),
      });
    switch (content.type) {
      case "text":
        start(content.key);
        log.steps.amend({ text: content.text });
        return "read";
      case "reasoning":
        start(content.key);
        return "read";
      case "call":
      case "server-call": {
        const { id, name, args } = content;
        const kind = content.type === "call" ? content.kind : undefined;
        start(id ?? `line ${line}`);
        callEnds.delete(id ?? "");
        const call = { id, name, args, position: { line }, ...optional("kind", kind), ...optional("at", at) };
        if (content.type === "server-call") log.steps.call(call).end(content.result);
        else log.steps.call(call);
        return "read";
      }
      case "output":
        output(content.id, { ...content.result, ...optional("endedAt", at) });
        log.output();
        return "read";
      case "person":
        if (!hasTurns) {
          thread.likelyPrompt(content.text);
          log.turn(content.text, !thread.isSubagent);
        }
        return "read";
      case "compacted":
        log.compacted();
        return "read";
      case "nothing":
        return "read";
      case "unknown":
        return { unknown: content.kind };
      default:
        return content satisfies never;
    }
  }

  function output(id: string | undefined, result: CallResult): void {
    const call = log.steps.openCall(id);
    const end = call?.isShared ? {} : callEnds.get(id ?? ""); // the end of which call it is, nothing tells
    callEnds.delete(id ?? "");
    if (call === undefined) log.steps.result(id, { ...result, ...end });
    else call.end({ ...result, ...end });
  }

  function readEvent(event: JsonObject): LineResult {
    const kind = textField(event["type"]) ?? "event without a type";
    switch (kind) {
      case "token_count":
        readTokens(objectField(event["info"]));
        return "read";
      case "user_message":
        userTurn(personText({ content: event["message"] }));
        return "read";
      case "item_completed":
        userTurn(userMessageItem(objectField(event["item"])));
        return "read";
      case "task_started":
      case "turn_started":
        thread.outcome = undefined;
        return "read";
      case "task_complete":
      case "turn_complete":
        thread.outcome = isObject(event["error"]) ? "failed" : "completed";
        return "read";
      case "turn_aborted":
        thread.outcome = textField(event["reason"]) ?? "interrupted";
        return "read";
      case "thread_rolled_back":
        rollBack(event["num_turns"]);
        return "read";
      case "thread_settings_applied":
        thread.setModel(objectField(event["thread_settings"])["model"]);
        return "read";
      case "context_compacted":
        log.compacted();
        return "read";
      default:
        return readCallEnd(kind, event);
    }
  }

  function readTokens(info: JsonObject): void {
    const tokens = tokenCounter.read(info);
    if (tokens === "repeat") repeatedUsage++;
    else if (tokens !== undefined) log.tokens(tokens);
  }

  function userTurn(text: string | undefined): void {
    if (text === undefined) return;
    hasTurns = true;
    turnStarts.push(log.stepCount);
    thread.prompt(text);
    log.turn(text, !thread.isSubagent);
  }

  function rollBack(turns: unknown): void {
    const count = typeof turns === "number" ? Math.min(Math.max(0, Math.floor(turns)), turnStarts.length) : 0;
    const [firstStep] = turnStarts.splice(turnStarts.length - count);
    rewoundMessages += firstStep === undefined ? 0 : log.stepCount - firstStep;
  }

  function readCallEnd(kind: string, event: JsonObject): LineResult {
    const end = callEnd(kind, event);
    if (end === undefined) return idleEvents.has(kind) ? "read" : { unknown: `event_msg ${kind}` };
    const id = textField(event["call_id"]) ?? textField(event["event_id"]);
    if (id !== undefined) callEnds.set(id, { ...callEnds.get(id), ...end });
    return "read";
  }

  function readInherited(type: string, payload: JsonObject): LineResult {
    if (type === "event_msg" && payload["type"] === "token_count") tokenCounter.read(objectField(payload["info"]));
    if (type === "turn_context") thread.setModel(payload["model"]);
    return "read";
  }

  function readPayload(type: string, payload: JsonObject, place: Place): LineResult {
    switch (type) {
      case "session_meta":
        thread.meta(payload);
        return "read";
      case "turn_context":
        thread.turnContext(payload);
        return "read";
      case "response_item":
        return readItem(payload, place);
      case "event_msg":
        return readEvent(payload);
      case "compacted":
        log.compacted();
        return "read";
      case "inter_agent_communication":
        thread.message(payload["content"]);
        return "read";
      default:
        return idleLines.has(type) ? "read" : { unknown: type };
    }
  }

  return {
    line(value, line) {
      const { type, payload, ordinal } = value;
      const at = timeField(value["timestamp"]);
      if (payload === undefined) return readBareLine(value, { line, at });
      const kind = textField(type) ?? "line without a type";
      isEnveloped = true;
      if (!isObject(payload)) return { malformed: `payload of ${kind.slice(0, 60)} is no object` };
      if (kind !== "session_meta" && thread.isInherited(ordinal)) return readInherited(kind, payload);
      return readPayload(kind, payload, { line, at });
    },
    end() {
      log.end();
      const steps = log.steps.steps().map(withSearches).map(withCopyKey);
      if (steps.length === 0) return [];
      return [
        {
          ...thread.run(),
          ...optional("model", mainModel(steps)),
          ...optional(
            "counting",
            log.steps.counting({ repeatedUsage, rewoundMessages, withoutUsage: countWithoutUsage(steps) }),
          ),
          steps,
        },
      ];
    },
  };

  function withCopyKey(step: RecordedStep, index: number): RecordedStep {
    if (step.usage !== undefined || step.calls.length === 0) return step;
    return { ...step, ...optional("copyKey", log.copyKey(index)) };
  }

  /** The first versions wrote the items themselves, behind a line with the id of the session. */
  function readBareLine(value: JsonObject, place: Place): LineResult {
    if (value["record_type"] !== undefined) return "read";
    const kind = textField(value["type"]);
    if (isEnveloped || (kind === undefined && value["id"] === undefined))
      return { unknown: kind ?? "line without a type" };
    if (kind !== undefined) return readItem(value, place);
    thread.meta(value);
    return "read";
  }
}
