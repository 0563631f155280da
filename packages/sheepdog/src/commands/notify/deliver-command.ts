import type { ChannelSettings } from "../../channels/channel-settings.ts";
import { deliverMessages } from "../../channels/delivery/delivery-process.ts";
import { exitCode } from "../../exit-code.ts";
import { resolveHome } from "../../home.ts";
import type { Io } from "../../io.ts";

const maxBytes = 1_000_000;

/** Delivers messages of the channels on stdin, as JSON with their secrets, until nothing waits. */
export async function deliverCommand(io: Io): Promise<number> {
  const channels = await readChannels(io);
  if (channels === undefined) return exitCode.usage;
  const ended = new AbortController();
  const stopListening = io.onInterrupt(() => ended.abort());
  try {
    await deliverMessages(resolveHome(io.env), channels, ended.signal);
  } finally {
    stopListening();
  }
  return exitCode.done;
}

/** The channels; undefined if the process that started this one was killed before it could write them. */
async function readChannels({ stdin }: Io): Promise<readonly ChannelSettings[] | undefined> {
  let text = "";
  for await (const chunk of stdin) {
    text += new TextDecoder().decode(chunk);
    if (text.length > maxBytes) return undefined;
  }
  try {
    const channels: unknown = JSON.parse(text);
    return Array.isArray(channels) ? (channels as ChannelSettings[]) : undefined; // `startDelivery` wrote them
  } catch {
    return undefined; // a part of them, or nothing
  }
}
