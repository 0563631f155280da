import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject } from "../../trajectory/parse-json.ts";
import type { RecordedCall, RecordedPosition, RecordedStep } from "../../trajectory/recorded-run.ts";
import { clipText, clipValue } from "../clip.ts";
import { listField, objectField, optional, textField, timeField } from "../fields.ts";
import { callStatus } from "./call-status.ts";
import { geminiUsage } from "./gemini-tokens.ts";
import { functionResponses, partsText } from "./parts.ts";

/** A reply as a step that has no number yet. */
export type ReplyStep = Omit<RecordedStep, "turn">;

/** Reads a message of the type `gemini`. */
export function replyStep(message: JsonObject, position: RecordedPosition): ReplyStep {
  const usage = messageUsage(message);
  return {
    text: clipText(partsText(message["content"])),
    ...optional("model", textField(message["model"])),
    ...optional("at", timeField(message["timestamp"])),
    ...optional("usage", usage),
    calls: listField(message["toolCalls"])
      .filter(isObject)
      .map((call) => recordedCall(call, position)),
    position,
  };
}

export function messageUsage({ id, tokens }: JsonObject): RecordedStep["usage"] {
  const { input, output, cached, thoughts, tool, total } = objectField(tokens);
  const usage = geminiUsage({ prompt: input, candidates: output, cached, thoughts, toolPrompt: tool, total });
  const messageId = textField(id);
  return usage === undefined || messageId === undefined ? usage : { ...usage, request: `gemini-cli:${messageId}` };
}

function recordedCall(call: JsonObject, position: RecordedPosition): RecordedCall {
  const responses = functionResponses(call["result"]);
  const own = responses.find(({ id }) => id === call["id"]) ?? responses[0];
  const result = own?.result ?? textField(partsText(call["result"])) ?? null;
  return {
    name: textField(call["name"]) ?? "unnamed tool",
    args: clipValue(call["args"] ?? null),
    result: clipValue(result),
    ...{ isError: null, ...callStatus(call["status"], result) },
    ...optional("at", timeField(call["timestamp"])),
    ...optional("child", textField(call["agentId"])),
    position,
  };
}

/** What gemini-cli itself sends as a message of the user. */
const INJECTED = /^(?:<session_context>|<hook_context>|<state_snapshot>|(?:System: )?Please continue\.$)/;

/** What a person wrote in a message of the type `user`; undefined where nobody did. */
export function personMessage(message: JsonObject): string | undefined {
  const text = partsText(message["content"]).trim();
  if (text === "" || INJECTED.test(text)) return undefined;
  return textField(partsText(message["displayContent"]).trim()) ?? text;
}
