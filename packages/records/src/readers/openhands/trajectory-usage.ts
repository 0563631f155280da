import type { JsonObject } from "../../trajectory/json-fields.ts";
import type { RecordedUsage } from "../../trajectory/recorded-run.ts";
import { dollarsField, listField, objectField, optional, textField, tokensField } from "../fields.ts";
import { openhandsUsage } from "./openhands-usage.ts";

/** The model and the usage of a reply. */
export interface TrajectoryUsage {
  readonly model?: string;
  readonly usage?: RecordedUsage;
}

/**
 * The usage of the replies of a trajectory: from the model's response, else from the running total `llm_metrics`, of
 * which each reply is paid the difference to the one before. The cost is always that of the running total.
 */
export function createTrajectoryUsage(): { of(event: JsonObject): TrajectoryUsage } {
  let total: RecordedUsage | undefined;
  let totalCost: number | undefined;

  return {
    of(event) {
      const response = objectField(objectField(event["tool_call_metadata"])["model_response"]);
      const metrics = objectField(event["llm_metrics"]);
      const sum = metrics["accumulated_token_usage"];
      const cost = dollarsField(metrics["accumulated_cost"]);
      const costUsd = cost === undefined ? undefined : Math.max(0, cost - (totalCost ?? 0));
      totalCost = cost ?? totalCost;
      const ofTotal = sum === undefined || sum === null ? undefined : openhandsUsage(objectField(sum));
      const usage = responseUsage(response) ?? difference(ofTotal, total);
      total = ofTotal ?? total;
      const request =
        textField(response["id"]) ?? textField(objectField(listField(metrics["token_usages"]).at(-1))["response_id"]);
      return {
        ...optional("model", textField(response["model"]) ?? textField(objectField(sum)["model"])),
        ...optional(
          "usage",
          usage && { ...usage, ...optional("costUsd", costUsd || undefined), ...optional("request", request) },
        ),
      };
    },
  };
}

function responseUsage({ usage }: JsonObject): RecordedUsage | undefined {
  const { prompt_tokens, completion_tokens, prompt_tokens_details, ...rest } = objectField(usage);
  const prompt = tokensField(prompt_tokens);
  const outputTokens = tokensField(completion_tokens);
  if (prompt === undefined || outputTokens === undefined) return undefined;
  const cached = rest["cache_read_input_tokens"] ?? objectField(prompt_tokens_details)["cached_tokens"];
  const written = rest["cache_creation_input_tokens"];
  return {
    inputTokens: prompt,
    ...optional("cacheReadTokens", tokensField(cached) || undefined),
    ...optional("cacheWriteTokens", tokensField(written) || undefined),
    outputTokens,
  };
}

function difference(now: RecordedUsage | undefined, before: RecordedUsage | undefined): RecordedUsage | undefined {
  if (now === undefined) return undefined;
  const since = (name: "inputTokens" | "outputTokens" | "cacheReadTokens" | "cacheWriteTokens") =>
    Math.max(0, (now[name] ?? 0) - (before?.[name] ?? 0));
  if (since("inputTokens") + since("outputTokens") === 0) return undefined;
  return {
    inputTokens: since("inputTokens"),
    ...optional("cacheReadTokens", since("cacheReadTokens") || undefined),
    ...optional("cacheWriteTokens", since("cacheWriteTokens") || undefined),
    outputTokens: since("outputTokens"),
  };
}
