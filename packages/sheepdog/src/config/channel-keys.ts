import { z } from "zod";
import { configKey } from "./config-key.ts";

/** The kinds of channels. */
export const channelTypes = ["webhook", "slack", "discord", "telegram", "ntfy", "email", "desktop", "bell"] as const;
export type ChannelType = (typeof channelTypes)[number];

/** What people can be told about a run. */
export const noticeKinds = ["start", "hint", "budget", "approval", "question", "halt", "end"] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** What a channel gets if its configuration does not say it. */
export const defaultNoticeKinds: readonly NoticeKind[] = ["budget", "approval", "question", "halt", "end"];

const text = z.string().min(1);
const variable = z.string().regex(/^[A-Za-z_]\w*$/);

/** One table `[channels.<name>]`. Which keys a type needs and uses is in `channel-rules.ts`. */
export const channelTable = z.strictObject({
  type: z.enum(channelTypes),
  events: z.array(z.enum(noticeKinds)).optional(),
  answer_from: z.array(text).optional(),
  to: text.optional(),
  url: text.optional(),
  url_env: variable.optional(),
  token: text.optional(),
  token_env: variable.optional(),
  app_token: text.optional(),
  app_token_env: variable.optional(),
  secret: text.optional(),
  secret_env: variable.optional(),
  host: text.optional(),
  port: z.int().min(1).max(65_535).optional(),
  tls: z.enum(["implicit", "starttls", "off"]).optional(),
  user: text.optional(),
  password: text.optional(),
  password_env: variable.optional(),
  from: text.optional(),
  api_url: text.optional(),
});

/** A channel as the configuration has it. */
export type ChannelTable = z.output<typeof channelTable>;

/** The key `channels`. */
export const channelKeys = configKey(
  z.record(text, channelTable).default({}),
  "nothing",
  'Where people are told about runs, by name, such as `phone = { type = "telegram", token_env = "TELEGRAM_TOKEN", ' +
    'to = "123456789" }`. `type`: webhook, slack, discord, telegram, ntfy, email, desktop or bell. `events`: start, ' +
    "hint, budget, approval, question, halt, end; without it all but start and hint. `answer_from`: who may answer " +
    "from there; without it nobody. Secrets come from variables: `token_env`, `app_token_env`, `url_env`, " +
    "`secret_env` and `password_env` name them. All keys: docs/channels.md.",
);
