import type { ChannelKind, SendResult } from "../channel-kind.ts";
import type { ChannelSettings } from "../channel-settings.ts";

/** The same kind, whose results have none of the channel's secrets, also if a server repeats them, and never throw. */
export function safeKind(kind: ChannelKind): ChannelKind {
  const safely = async (settings: ChannelSettings, act: () => Promise<SendResult>): Promise<SendResult> => {
    try {
      return masked(await act(), settings);
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      return masked({ type: "retry", problem: `The message could not be sent: ${problem}` }, settings);
    }
  };
  const { check } = kind;
  return {
    ...kind,
    send: (settings, outgoing, signal) => safely(settings, () => kind.send(settings, outgoing, signal)),
    ...(check === undefined ? {} : { check: (settings, signal) => safely(settings, () => check(settings, signal)) }),
  };
}

function masked(result: SendResult, { secrets }: ChannelSettings): SendResult {
  const mask = (text: string) =>
    Object.values(secrets).reduce(
      (rest, secret) => (secret === undefined || secret === "" ? rest : rest.replaceAll(secret, "…")),
      text,
    );
  return result.type === "sent"
    ? { ...result, answer: mask(result.answer) }
    : { ...result, problem: mask(result.problem) };
}
