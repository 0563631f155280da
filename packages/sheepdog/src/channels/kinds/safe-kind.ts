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
  const { url, ...others } = secrets;
  const values = [...Object.values(others), ...(url === undefined ? [] : partsOf(url))];
  return values.reduce((rest, value) => (value === "" ? rest : withoutValue(rest, value)), text);
}

/** Shorter parts of an address are words such as `hooks`. */
const minPart = 8;

/** The address, and what a server repeats of it: the path, its segments and the values of the query. */
function partsOf(url: string): readonly string[] {
  if (!URL.canParse(url)) return [url];
  const { pathname, search, searchParams } = new URL(url);
  const parts = [`${pathname}${search}`, pathname, search, ...searchParams.values(), ...pathname.split("/")];
  const decoded = parts.flatMap((part) => [part, decode(part)]);
  return [url, ...decoded.filter((part) => part.length >= minPart)].toSorted((a, b) => b.length - a.length);
}

/** A text without a secret, and without its beginning where the text was cut off in the middle of it. */
function withoutValue(text: string, secret: string): string {
  const rest = text.replaceAll(secret, "…");
  const end = rest.replace(/[.…]+$/, "");
  for (let length = Math.min(secret.length - 1, end.length); length >= minPart; length -= 1)
    if (end.endsWith(secret.slice(0, length))) return `${end.slice(0, -length)}….`;
  return rest;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // it is not encoded
  }
}
