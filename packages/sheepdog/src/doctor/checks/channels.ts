import type { SendResult } from "../../channels/channel-kind.ts";
import type { ChannelSettings } from "../../channels/channel-settings.ts";
import type { Io } from "../../io.ts";
import { findProgram } from "../find-program.ts";
import { type Check, type Finding, ok, warn } from "../finding.ts";

const timeoutMs = 10_000;

/** Checks the channels without sending a message. Servers are asked only if the user wants it. */
export const channelsCheck: Check = {
  name: "channels",
  async run({ config, io, home, isOnline }) {
    const configured = await config();
    if (Object.keys(configured.channels).length === 0) return [ok("None is configured.")];
    const { readChannels } = await import("../../channels/channel-settings.ts");
    const { channels, problems } = readChannels(configured, io.env);
    const { readOutbox } = await import("../../channels/outbox.ts");
    const { readStatus } = await import("../../channels/channel-status.ts");
    const waiting = channels.flatMap((channel) => {
      const count = readOutbox(home, channel.account).filter((entry) => entry.channel.name === channel.name).length;
      const { problem = "" } = readStatus(home, channel.account);
      return count === 0 ? [] : [warn(`${channel.name}: ${count} wait. ${problem}`, "See them: sheepdog notify list")];
    });
    return [
      ...problems.map((problem) => warn(problem, "Set the variable, or remove the channel.")),
      ...(await Promise.all(
        channels.map(
          (channel) => programFinding(channel, io.env) ?? (isOnline ? askServer(channel) : describe(channel)),
        ),
      )),
      ...waiting,
    ];
  },
};

/** A channel that needs a program which is not installed. */
function programFinding({ name, type }: ChannelSettings, env: Io["env"]): Finding | undefined {
  if (type !== "desktop" || process.platform === "darwin" || findProgram("notify-send", env) !== undefined)
    return undefined;
  return warn(`${name} (desktop) cannot show messages: notify-send is not installed.`, "Install libnotify.");
}

function describe({ name, type, answerFrom }: ChannelSettings): Finding {
  const whileServed = type === "webhook" ? " while `sheepdog serve` runs" : "";
  const answers = answerFrom.length === 0 ? "" : `; people can answer${whileServed}`;
  return ok(`${name} (${type}) is complete${answers}. To send one message: sheepdog notify test ${name}`);
}

async function askServer(channel: ChannelSettings): Promise<Finding> {
  const { kindOf } = await import("../../channels/kinds/index.ts");
  const asked = kindOf(channel.type)?.check?.(channel, AbortSignal.timeout(timeoutMs));
  return asked === undefined ? describe(channel) : finding(channel, await asked);
}

function finding({ name }: ChannelSettings, result: SendResult): Finding {
  if (result.type === "sent") return ok(`${name}: ${result.answer}`);
  return result.type === "refused"
    ? warn(`${name}: ${result.problem}`, "Check the token and the address of the channel.")
    : warn(`${name}: ${result.problem}`, "Messages wait until the server answers.");
}
