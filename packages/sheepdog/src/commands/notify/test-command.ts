import { randomUUID } from "node:crypto";
import type { SendResult } from "../../channels/channel-kind.ts";
import type { ChannelSettings } from "../../channels/channel-settings.ts";
import { kindOf } from "../../channels/kinds/index.ts";
import type { Notice } from "../../channels/notice.ts";
import { exitCode } from "../../exit-code.ts";
import { type Io, ringBell, write, writeMessage } from "../../io.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { loadChannels } from "./load-channels.ts";

/** The options of `sheepdog notify test`. */
export interface TestOptions {
  readonly json?: boolean;
}

const timeoutMs = 30_000;

/** Sends one message to a channel, or to each, and prints what came of it. */
export async function testCommand(name: string | undefined, { json = false }: TestOptions, io: Io): Promise<number> {
  const loaded = await loadChannels(io);
  if (loaded === undefined) return exitCode.usage;
  const { channels, problems } = loaded;
  const chosen = channels.filter((channel) => name === undefined || channel.name === name);
  const unusable = problems.filter((problem) => name === undefined || problem.startsWith(`The channel ${name} `));
  for (const problem of unusable) await writeMessage(io, plainText(problem));
  if (chosen.length === 0) {
    if (unusable.length === 0) await writeMessage(io, missingText(name, channels));
    return exitCode.usage;
  }
  const results = await Promise.all(chosen.map(async (channel) => ({ channel, result: await send(channel, io) })));
  if (json) await write(io.stdout, `${jsonText({ schemaVersion: 1, channels: results.map(document) })}\n`);
  else
    for (const { channel, result } of results)
      await write(io.stdout, `${channel.name}: ${plainText(sentence(result))}\n`);
  return unusable.length === 0 && results.every(({ result }) => result.type === "sent")
    ? exitCode.done
    : exitCode.failed;
}

async function send(channel: ChannelSettings, { stderr }: Io): Promise<SendResult> {
  const kind = kindOf(channel.type);
  if (kind !== undefined)
    return kind.send(
      channel,
      { id: `ntc_${randomUUID()}`, notice: testNotice(), actions: [] },
      AbortSignal.timeout(timeoutMs),
    );
  if (stderr.isTTY !== true) return { type: "refused", problem: "The bell needs a terminal." };
  ringBell(stderr);
  return { type: "sent", answer: "The bell has rung." };
}

export function testNotice(): Notice {
  return {
    id: "ntc_test",
    kind: "end",
    isTest: true,
    at: Date.now(),
    run: { runId: "run_test", sessionId: "ses_test", task: "a test", project: "sheepdog" },
    sentence: "This is a test of sheepdog notify. Messages about runs arrive here.",
    details: [],
    command: "sheepdog notify list",
  };
}

function sentence(result: SendResult): string {
  return result.type === "sent" ? `sent. ${result.answer}` : `not sent. ${result.problem}`;
}

function document({ channel, result }: { readonly channel: ChannelSettings; readonly result: SendResult }): object {
  return {
    name: channel.name,
    type: channel.type,
    isSent: result.type === "sent",
    text: result.type === "sent" ? result.answer : result.problem,
  };
}

function missingText(name: string | undefined, channels: readonly ChannelSettings[]): string {
  const names = channels.map((channel) => channel.name).join(", ");
  if (name !== undefined && names !== "")
    return `there is no channel ${plainText(name)}; the configuration has ${names}`;
  return "no channel is configured; see docs/channels.md, or add [channels.<name>] to the configuration";
}
