import type { SendResult } from "../channel-kind.ts";
import type { ChannelSettings } from "../channel-settings.ts";
import { field, type HttpAnswer, type HttpRequest, request, resultOf } from "./http.ts";

type Problem = Exclude<SendResult, { readonly type: "sent" }>;

export interface DiscordCall extends Pick<HttpRequest, "method" | "body" | "signal"> {
  /** Below the address of the API. */
  readonly path: string;
}

/** Calls the REST API as the bot. */
export async function callDiscord(
  { apiUrl = "https://discord.com/api/v10", secrets }: ChannelSettings,
  { path, ...rest }: DiscordCall,
): Promise<{ readonly type: "done"; readonly result: unknown } | Problem> {
  const url = `${apiUrl.replace(/\/$/, "")}${path}`;
  const answer = await request({ ...rest, url, headers: { authorization: `Bot ${secrets.token}` } });
  if ("type" in answer) return answer;
  return discordProblem(answer, url) ?? { type: "done", result: answer.json };
}

/** Why Discord refused; at a rate limit its body has the time to wait, in seconds. */
export function discordProblem(answer: HttpAnswer, url: string): Problem | undefined {
  const message = field(answer.json, "message");
  const problem = resultOf(answer, url, typeof message === "string" ? message : answer.text);
  const seconds = field(answer.json, "retry_after");
  return problem?.type === "retry" && typeof seconds === "number" ? { ...problem, afterMs: seconds * 1_000 } : problem;
}
