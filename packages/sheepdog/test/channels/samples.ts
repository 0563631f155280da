import type { Outgoing } from "../../src/channels/channel-kind.ts";
import { type ChannelSettings, readChannels } from "../../src/channels/channel-settings.ts";
import type { Notice } from "../../src/channels/notice.ts";
import { messageActions } from "../../src/channels/notice-text.ts";
import { channelTable } from "../../src/config/channel-keys.ts";

/** A channel from a table of the configuration. */
export function channelOf(table: object, env: Record<string, string> = {}, name = "phone"): ChannelSettings {
  const { channels, problems } = readChannels({ channels: { [name]: channelTable.parse(table) } }, env);
  const [channel] = channels;
  if (channel === undefined) throw new Error(problems.join("\n"));
  return channel;
}

/** A notice about a run. */
export function noticeOf(more: Partial<Notice> = {}): Notice {
  return {
    id: "ntc_1",
    kind: "end",
    at: 1_000,
    run: { runId: "run_1", sessionId: "ses_1", task: "Fix the login test", project: "my-app" },
    sentence: "The login test passes.",
    details: [],
    costNanoUsd: 420_000_000,
    command: "sheepdog show run_1",
    ...more,
  };
}

/** A question whether a call may run, with characters that vendors treat in a special way. */
export const approval: Notice = noticeOf({
  kind: "approval",
  sentence: "The agent wants to run a command. <b>&amp; @everyone <!here> *x* https://evil.example/x",
  code: "git push --force && echo '<done>' `x`",
  topic: { type: "approval", callId: "toolu_1" },
});

export const requestId = "AbCdEfGhIjKlMnOpQrStUv";

/** A message as it is sent; with `isAnswered`, people may answer it. */
export function outgoing(notice: Notice, isAnswered = false): Outgoing {
  const id = isAnswered ? requestId : undefined;
  return { id: notice.id, notice, actions: messageActions(notice, id), ...(id === undefined ? {} : { requestId: id }) };
}
