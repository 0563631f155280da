import type { ChannelType } from "../../config/channel-keys.ts";
import type { ChannelKind } from "../channel-kind.ts";
import { desktop } from "./desktop.ts";
import { discord } from "./discord.ts";
import { email } from "./email.ts";
import { ntfy } from "./ntfy.ts";
import { safeKind } from "./safe-kind.ts";
import { slack } from "./slack.ts";
import { telegram } from "./telegram.ts";
import { webhook } from "./webhook.ts";

/** The kinds that a process besides the run delivers. The bell is rung by the run itself, in its terminal. */
const deliveredKinds: Readonly<Record<Exclude<ChannelType, "bell">, ChannelKind>> = {
  webhook: safeKind(webhook),
  slack: safeKind(slack),
  discord: safeKind(discord),
  telegram: safeKind(telegram),
  ntfy: safeKind(ntfy),
  email: safeKind(email),
  desktop: safeKind(desktop),
};

/** The kind of a channel; undefined for the bell. */
export function kindOf(type: ChannelType): ChannelKind | undefined {
  return type === "bell" ? undefined : deliveredKinds[type];
}
