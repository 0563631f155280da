import type { ChannelKind, Conversation, SendResult } from "../channel-kind.ts";
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
  const { check, conversation } = kind;
  return {
    ...kind,
    send: (settings, outgoing, signal) => safely(settings, () => kind.send(settings, outgoing, signal)),
    ...(check === undefined ? {} : { check: (settings, signal) => safely(settings, () => check(settings, signal)) }),
    ...(conversation === undefined ? {} : { conversation: safeConversation(conversation) }),
  };
}

/** The same conversation, whose problems have none of the channel's secrets. */
function safeConversation(conversation: Conversation): Conversation {
  return {
    ...conversation,
    read: (settings, reader) =>
      conversation.read(settings, {
        ...reader,
        onProblem: (sentence) => reader.onProblem(withoutSecrets(sentence, settings)),
      }),
  };
}

function masked(result: SendResult, settings: ChannelSettings): SendResult {
  return result.type === "sent"
    ? { ...result, answer: withoutSecrets(result.answer, settings) }
    : { ...result, problem: withoutSecrets(result.problem, settings) };
}

function withoutSecrets(text: string, { secrets }: ChannelSettings): string {
  return Object.values(secrets).reduce(
    (rest, secret) => (secret === undefined || secret === "" ? rest : rest.replaceAll(secret, "…")),
    text,
  );
}
