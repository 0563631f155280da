import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject } from "../../trajectory/parse-json.ts";
import type { RecordedUsage } from "../../trajectory/recorded-run.ts";
import { addUsage } from "../add-usage.ts";
import { dollarsField, listField, objectField, optional, textField, tokensField } from "../fields.ts";

/** The usage of a request with its model. */
export interface OpenhandsRequest {
  readonly usage: RecordedUsage;
  readonly model?: string;
}

/** The requests of a conversation. Each may be taken once. */
export interface OpenhandsRequests {
  /** Takes the request with this response id, together with earlier ones of the same kind that no event names. */
  take(responseId: string): OpenhandsRequest | undefined;
  /** Takes all that is left. */
  rest(): readonly OpenhandsRequest[];
}

interface Entry extends OpenhandsRequest {
  readonly id: string;
  isTaken: boolean;
}

/**
 * The requests in `usage_to_metrics`, a list of them for each use of a model. `named` are the response ids that the
 * events name. Costs have no response id: they belong to the requests when there are as many of both.
 */
export function openhandsRequests(metrics: unknown, named: ReadonlySet<string>): OpenhandsRequests {
  const lists = Object.values(objectField(metrics)).map((each) => requestsOf(objectField(each)));
  return {
    take(responseId) {
      for (const list of lists) {
        const end = list.findIndex(({ id, isTaken }) => id === responseId && !isTaken);
        if (end < 0) continue;
        const isUnnamed = ({ id, isTaken }: Entry, index: number) => index < end && !isTaken && !named.has(id);
        return sumOf([...list.filter(isUnnamed), ...list.slice(end, end + 1)], responseId);
      }
      return undefined;
    },
    rest: () =>
      lists.flatMap((list) => {
        const left = list.filter(({ isTaken }) => !isTaken);
        const sum = sumOf(left, left[0]?.id ?? "");
        return sum === undefined ? [] : [sum];
      }),
  };
}

function requestsOf({ token_usages, costs }: JsonObject): readonly Entry[] {
  const usages = listField(token_usages).filter(isObject);
  const amounts = listField(costs);
  const hasCosts = amounts.length === usages.length;
  return usages.map((value, index) => {
    const costUsd = hasCosts ? dollarsField(objectField(amounts[index])["cost"]) : undefined;
    return {
      id: textField(value["response_id"]) ?? "",
      usage: { ...openhandsUsage(value), ...optional("costUsd", costUsd) },
      ...optional("model", textField(value["model"])),
      isTaken: false,
    };
  });
}

/**
 * Usage as OpenHands counts it: the prompt contains the cached tokens, and the completion the reasoning. Agents of
 * other makers that it runs report the cached tokens beside the prompt, which is then the smaller number.
 */
export function openhandsUsage(value: JsonObject): RecordedUsage {
  const prompt = tokensField(value["prompt_tokens"]) ?? 0;
  const cacheReadTokens = tokensField(value["cache_read_tokens"]) ?? 0;
  const cacheWriteTokens = tokensField(value["cache_write_tokens"]) ?? 0;
  const cached = cacheReadTokens + cacheWriteTokens;
  return {
    inputTokens: cached > prompt ? prompt + cached : prompt,
    ...optional("cacheReadTokens", cacheReadTokens || undefined),
    ...optional("cacheWriteTokens", cacheWriteTokens || undefined),
    outputTokens: tokensField(value["completion_tokens"]) ?? 0,
  };
}

/** Takes entries as one request under this id; the model is that of the last one. */
function sumOf(entries: readonly Entry[], request: string): OpenhandsRequest | undefined {
  const last = entries.at(-1);
  if (last === undefined) return undefined;
  for (const entry of entries) entry.isTaken = true;
  const usage = entries.map((entry) => entry.usage).reduce(addUsage);
  return { usage: { ...usage, ...optional("request", request || undefined) }, ...optional("model", last.model) };
}
