import type { SendResult } from "../channel-kind.ts";
import type { ChannelSettings } from "../channel-settings.ts";
import { field, type HttpAnswer, request, resultOf, safeWords } from "./http.ts";

export interface TelegramCall {
  readonly method: string;
  readonly body: object;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

type CallResult = { readonly type: "done"; readonly result: unknown } | Exclude<SendResult, { type: "sent" }>;

/** Calls a method of the Bot API. The token is part of the address, and is in no problem. */
export async function callTelegram(settings: ChannelSettings, call: TelegramCall): Promise<CallResult> {
  const { apiUrl = "https://api.telegram.org", secrets } = settings;
  const { method, body, signal, timeoutMs } = call;
  const url = `${apiUrl.replace(/\/$/, "")}/bot${secrets.token}/${method}`;
  const answer = await request({ url, body, signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  if ("type" in answer) return answer;
  if (field(answer.json, "ok") === true) return { type: "done", result: field(answer.json, "result") };
  return problemOf(answer, url);
}

function problemOf(answer: HttpAnswer, url: string): Exclude<SendResult, { type: "sent" }> {
  const description = field(answer.json, "description");
  const words = safeWords(typeof description === "string" ? description : answer.text);
  const problem = resultOf(answer, url, words) ?? { type: "retry", problem: "Telegram sent something else than JSON." };
  const seconds = field(answer.json, "parameters", "retry_after");
  return problem.type === "retry" && typeof seconds === "number" ? { ...problem, afterMs: seconds * 1_000 } : problem;
}
