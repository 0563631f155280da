import { type ChannelSettings, canAnswer } from "../../channels/channel-settings.ts";
import { readStatus } from "../../channels/channel-status.ts";
import { readOutbox } from "../../channels/outbox.ts";
import { exitCode } from "../../exit-code.ts";
import type { Home } from "../../home.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { counted } from "../../render/terminal/amounts.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { shortDate } from "../../render/terminal/short-date.ts";
import { styleFor } from "../../render/terminal/style.ts";
import { loadChannels } from "./load-channels.ts";

/** The options of `sheepdog notify list`. */
export interface ListOptions {
  readonly json?: boolean;
}

/** A channel as it is listed. */
interface ListedChannel {
  readonly name: string;
  readonly type: string;
  readonly to: string | null;
  readonly events: readonly string[];
  readonly answerFrom: readonly string[];
  readonly waiting: number;
  /** Why messages wait, or were not delivered. */
  readonly problem: string | null;
  readonly problemAt: number | null;
  readonly sentAt: number | null;
}

/** Lists the channels of the configuration, and what waits for them. */
export async function listCommand({ json = false }: ListOptions, io: Io): Promise<number> {
  const loaded = await loadChannels(io);
  if (loaded === undefined) return exitCode.usage;
  const { channels, problems, home } = loaded;
  const listed = channels.map((channel) => listChannel(channel, home));
  if (json) {
    await write(io.stdout, `${jsonText({ schemaVersion: 1, channels: listed, problems })}\n`);
    return exitCode.done;
  }
  const { bold } = styleFor(io.stdout, io.env);
  for (const [index, channel] of listed.entries())
    await write(io.stdout, `${bold(channel.name)}  ${linesOf(channel, channels[index]).join("\n  ")}\n`);
  for (const problem of problems) await writeMessage(io, plainText(problem));
  if (channels.length + problems.length === 0) await writeMessage(io, "no channel is configured; see docs/channels.md");
  return exitCode.done;
}

function listChannel(channel: ChannelSettings, home: Home): ListedChannel {
  const { name, type, to, events, answerFrom, account } = channel;
  const waiting = readOutbox(home, account).filter((entry) => entry.channel.name === name);
  const { sentAt, problem, problemAt } = readStatus(home, account);
  const isSolved = waiting.length === 0 && (problemAt ?? 0) < (sentAt ?? 0);
  return {
    name,
    type,
    to: to ?? null,
    events,
    answerFrom,
    waiting: waiting.length,
    problem: waiting.find((entry) => entry.problem !== undefined)?.problem ?? (isSolved ? null : (problem ?? null)),
    problemAt: isSolved ? null : (problemAt ?? null),
    sentAt: sentAt ?? null,
  };
}

function linesOf(listed: ListedChannel, settings: ChannelSettings | undefined): readonly string[] {
  const { type, to, events, answerFrom, waiting, problem, sentAt } = listed;
  const whileServed = type === "webhook" ? " while `sheepdog serve` runs" : "";
  const answers =
    settings !== undefined && canAnswer(settings)
      ? `answers from ${answerFrom.join(", ")} count${whileServed}`
      : "nobody can answer";
  const now = Date.now();
  return [
    plainText(`${type}${to === null ? "" : ` to ${to}`}`),
    plainText(`gets ${events.join(", ")}; ${answers}`),
    `${counted(waiting, "message")} waiting${sentAt === null ? "" : `; last sent ${shortDate(sentAt, now)}`}`,
    ...(problem === null ? [] : [plainText(`problem: ${problem}`)]),
  ];
}
