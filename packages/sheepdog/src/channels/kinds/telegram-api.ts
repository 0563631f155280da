import type { SendResult } from "../channel-kind.ts";
import type { ChannelSettings } from "../channel-settings.ts";
import { field, type HttpAnswer, request, resultOf, safeWords } from "./http.ts";

export interface TelegramCall {
  readonly method: string;
  readonly body: object;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

type Problem = Exclude<SendResult, { type: "sent" }>;
/** `unread`: the beginning of an answer that could not be read. */
type CallResult = { readonly type: "done"; readonly result: unknown } | (Problem & { readonly unread?: string });

/** Calls a method of the Bot API. The token is part of the address, and is in no problem. */
export async function callTelegram(settings: ChannelSettings, call: TelegramCall): Promise<CallResult> {
  const { apiUrl = "https://api.telegram.org", secrets } = settings;
  const { method, ...rest } = call;
  const url = `${apiUrl.replace(/\/$/, "")}/bot${secrets.token}/${method}`;
  const answer = await request({ url, ...rest });
  if ("type" in answer) return answer;
  if (field(answer.json, "ok") === true) return { type: "done", result: field(answer.json, "result") };
  const problem = problemOf(answer, url);
  return answer.json === undefined && answer.status === 200 ? { ...problem, unread: answer.text } : problem;
}

function problemOf(answer: HttpAnswer, url: string): Problem {
  const description = field(answer.json, "description");
  const words = safeWords(typeof description === "string" ? description : answer.text);
  const problem = resultOf(answer, url, words) ?? { type: "retry", problem: "Telegram sent something else than JSON." };
  const seconds = field(answer.json, "parameters", "retry_after");
  return problem.type === "retry" && typeof seconds === "number" ? { ...problem, afterMs: seconds * 1_000 } : problem;
}
