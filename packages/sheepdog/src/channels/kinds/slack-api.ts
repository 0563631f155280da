import type { SendResult } from "../channel-kind.ts";
import type { ChannelSettings } from "../channel-settings.ts";
import { field, request, resultOf } from "./http.ts";

export interface SlackCall {
  readonly method: string;
  readonly body: object;
  readonly signal: AbortSignal;
  /** Default: the token of the bot. */
  readonly token?: string | undefined;
}

export type SlackResult =
  | { readonly type: "done"; readonly result: unknown }
  | Exclude<SendResult, { readonly type: "sent" }>;

/** Errors of Slack that pass by themselves. */
const passing: readonly string[] = [
  "ratelimited",
  "rate_limited",
  "service_unavailable",
  "internal_error",
  "fatal_error",
];

/** Calls a method of the Web API. */
export async function callSlack(settings: ChannelSettings, call: SlackCall): Promise<SlackResult> {
  const { apiUrl = "https://slack.com/api", secrets } = settings;
  const { method, body, signal, token = secrets.token } = call;
  const url = `${apiUrl.replace(/\/$/, "")}/${method}`;
  const answer = await request({ url, body, signal, headers: { authorization: `Bearer ${token}` } });
  if ("type" in answer) return answer;
  const error = field(answer.json, "error");
  const problem = resultOf(answer, url, typeof error === "string" ? error : answer.text);
  if (problem !== undefined) return problem;
  if (field(answer.json, "ok") === true) return { type: "done", result: answer.json };
  if (typeof error !== "string") return { type: "retry", problem: "Slack sent something else than JSON." };
  return { type: passing.includes(error) ? "retry" : "refused", problem: `Slack refused ${method}: ${error}.` };
}
