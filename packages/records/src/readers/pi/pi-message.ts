import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject } from "../../trajectory/parse-json.ts";
import type { RecordedStatus, RecordedUsage } from "../../trajectory/recorded-run.ts";
import { dollarsField, listField, objectField, optional, textField, tokensField } from "../fields.ts";

/** The texts of a message whose content is a text or a list of blocks. */
export function messageText(content: unknown): string {
  if (typeof content === "string") return content;
  const texts = listField(content).flatMap((block) => (isObject(block) ? (blockText(block) ?? []) : []));
  return texts.join("\n");
}

function blockText({ type, text }: JsonObject): string | undefined {
  if (type === "text") return textField(text);
  return type === "image" ? "[image]" : undefined;
}

/** The calls of a reply. */
export function messageCalls(content: unknown): readonly { id: string | undefined; name: string; args: unknown }[] {
  return listField(content).flatMap((block) => {
    if (!isObject(block) || block["type"] !== "toolCall") return [];
    const id = textField(block["id"]);
    const name = textField(block["name"]);
    return name === undefined ? [] : [{ id, name, args: block["arguments"] }];
  });
}

/** Tokens and cost of a reply; undefined when nothing was used. In pi, `input` is without what the cache holds. */
export function messageUsage(message: JsonObject, entryId: string | undefined): RecordedUsage | undefined {
  const usage = objectField(message["usage"]);
  const [input = 0, cacheRead = 0, cacheWrite = 0, output = 0] = ["input", "cacheRead", "cacheWrite", "output"].map(
    (name) => tokensField(usage[name]),
  );
  if (input + cacheRead + cacheWrite + output === 0) return undefined;
  const costUsd = dollarsField(objectField(usage["cost"])["total"]);
  const cacheWrite1h = tokensField(usage["cacheWrite1h"]);
  return {
    inputTokens: input + cacheRead + cacheWrite,
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
    ...optional("cacheWrite1hTokens", cacheWrite1h),
    outputTokens: output,
    // Models without a configured price have a cost of 0.
    ...(costUsd === undefined || costUsd === 0 ? {} : { costUsd }),
    request: requestOf(message, entryId),
  };
}

/** A forked session begins with a copy of the entries of the earlier one. */
function requestOf(message: JsonObject, entryId: string | undefined): string {
  const { responseId, timestamp, model } = message;
  return `pi/${textField(responseId) ?? [timestamp, model, entryId].join("/")}`;
}

/** Why a call failed, in the words that pi itself writes. */
export function failureStatus(text: string): RecordedStatus | undefined {
  return failures.find(([pattern]) => pattern.test(text))?.[1];
}

const failures: readonly (readonly [RegExp, RecordedStatus])[] = [
  [/^Tool \S* not found$/, "unknown-tool"],
  [/^Validation failed for tool /, "invalid-arguments"],
  [/\bCommand timed out after \d+ seconds$/, "timeout"],
  [/(?:^|\n)(?:Command|Operation) aborted$/, "interrupted"],
  [/^Skipped due to queued user message/, "interrupted"],
  [/^(?:Blocked by user|Tool execution was blocked)/, "denied"],
];
