import { createHash } from "node:crypto";
import { type ChannelTable, type ChannelType, defaultNoticeKinds, type NoticeKind } from "../config/channel-keys.ts";
import { type SecretKey, secretKeys } from "../config/channel-rules.ts";
import type { Config } from "../config/schema.ts";
import { webhookSecretProblem } from "../config/webhook-secret.ts";
import type { Io } from "../io.ts";

/** What a file may have of a channel: everything but its secrets. */
export interface ChannelTarget {
  readonly name: string;
  readonly type: ChannelType;
  readonly events: readonly NoticeKind[];
  /** Who may answer. Empty: nobody. */
  readonly answerFrom: readonly string[];
  readonly to?: string;
  readonly from?: string;
  readonly host?: string;
  readonly port?: number;
  readonly tls?: "implicit" | "starttls" | "off";
  readonly user?: string;
  readonly apiUrl?: string;
  /** Identifies the server and the credentials. Channels with the same ones share an outbox and a connection. */
  readonly account: string;
}

export type ChannelSecrets = Readonly<Partial<Record<SecretKey, string>>>;

/** A channel that is ready to use. Its secrets are in memory only. */
export interface ChannelSettings extends ChannelTarget {
  readonly secrets: ChannelSecrets;
}

/** The channels of a configuration, and sentences about those that cannot be used. */
export interface ReadChannels {
  readonly channels: readonly ChannelSettings[];
  readonly problems: readonly string[];
}

/** Reads the channels, with their secrets from the environment. A channel without its secret is left out. */
export function readChannels({ channels }: Pick<Config, "channels">, env: Io["env"]): ReadChannels {
  const read = Object.entries(channels).map(([name, table]) => readChannel(name, table, env));
  return {
    channels: read.filter((each) => typeof each !== "string"),
    problems: read.filter((each) => typeof each === "string"),
  };
}

/** The part of a channel that may be written to a file. */
export function targetOf({ secrets: _, ...target }: ChannelSettings): ChannelTarget {
  return target;
}

/** Whether answers to this channel count. */
export function canAnswer({ answerFrom }: Pick<ChannelTarget, "answerFrom">): boolean {
  return answerFrom.length > 0;
}

function readChannel(name: string, table: ChannelTable, env: Io["env"]): ChannelSettings | string {
  const secrets: Partial<Record<SecretKey, string>> = {};
  for (const key of secretKeys) {
    const variable = table[`${key}_env`];
    const value = variable === undefined ? table[key] : env[variable]?.trim();
    if (variable !== undefined && !value)
      return `The channel ${name} is not used: the variable ${variable} is not set.`;
    if (value !== undefined) secrets[key] = value;
  }
  const secretProblem = secrets.secret === undefined ? undefined : webhookSecretProblem(secrets.secret);
  if (secretProblem !== undefined) return `The channel ${name} is not used: it ${secretProblem}.`;
  const { type, events = defaultNoticeKinds, answer_from = [], to, from, host, port, tls, user, api_url } = table;
  const address = secrets.url ?? api_url;
  if (address !== undefined && !isWebAddress(address))
    return `The channel ${name} is not used: its address must begin with https:// or http://.`;
  return {
    name,
    type,
    events,
    answerFrom: answer_from,
    ...(to === undefined ? {} : { to }),
    ...(from === undefined ? {} : { from }),
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    ...(tls === undefined ? {} : { tls }),
    ...(user === undefined ? {} : { user }),
    ...(api_url === undefined ? {} : { apiUrl: api_url }),
    account: accountOf([type, api_url, host, port, user, tls, ...secretKeys.map((key) => secrets[key])]),
    secrets,
  };
}

function accountOf(parts: readonly (string | number | undefined)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && ["https:", "http:"].includes(new URL(text).protocol);
}
