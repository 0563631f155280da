import { actionData } from "../answers/actions.ts";
import type { ChannelKind, Outgoing } from "../channel-kind.ts";
import type { ChannelSettings } from "../channel-settings.ts";
import { noticeText } from "../notice-text.ts";
import { callDiscord, discordProblem } from "./discord-api.ts";
import { readDiscord } from "./discord-gateway.ts";
import { field, idText, request } from "./http.ts";
import { type Markup, markedUp } from "./markup.ts";

/** Discord: a webhook, or a bot with the REST API, and the gateway for answers. */
export const discord: ChannelKind = {
  spacingMs: 1_000, // five messages in five seconds
  async send(settings, outgoing, signal) {
    const { secrets, to = "" } = settings;
    const sent =
      secrets.url === undefined
        ? await callDiscord(settings, {
            path: `/channels/${encodeURIComponent(to)}/messages`,
            body: messageBody(outgoing),
            signal,
          })
        : await sendToWebhook(secrets.url, outgoing, signal);
    if (sent.type !== "done") return sent;
    const messageId = idText(field(sent.result, "id"));
    const place = idText(field(sent.result, "channel_id"));
    if (messageId === undefined) return { type: "retry", problem: "Discord sent something else than a message." };
    return {
      type: "sent",
      answer: `Discord accepted message ${messageId} for channel ${place ?? ""}.`,
      messageId,
      ...(place === undefined ? {} : { place }),
    };
  },
  async check(settings, signal) {
    const asked = await askDiscord(settings, signal);
    return asked.type === "done" ? { type: "sent", answer: "Discord knows the channel." } : asked;
  },
  conversation: { read: readDiscord },
};

const maxChars = 2_000;
/** The flag of a message whose links show no preview. */
const suppressEmbeds = 4;

const markdown: Markup = {
  escape: (text) => text.replace(/[\\*_~`|>#[\]()<:-]/g, "\\$&"),
  bold: (escaped) => `**${escaped}**`,
  code: (text) => `\`\`\`\n${text.replaceAll("```", "'''")}\n\`\`\``,
};

/** A message that pings nobody. */
function messageBody({ notice, actions, requestId }: Outgoing): object {
  const styles = { good: 3, bad: 4, plain: 2 } as const;
  const buttons =
    requestId === undefined
      ? []
      : actions.map(({ verb, label, tone }) => ({
          type: 2,
          style: styles[tone],
          label,
          custom_id: actionData(verb, requestId),
        }));
  return {
    content: markedUp(noticeText(notice, actions), markdown, maxChars),
    allowed_mentions: { parse: [] },
    flags: suppressEmbeds,
    ...(buttons.length === 0 ? {} : { components: [{ type: 1, components: buttons }] }),
  };
}

async function sendToWebhook(address: string, outgoing: Outgoing, signal: AbortSignal) {
  const url = new URL(address);
  url.searchParams.set("wait", "true"); // the answer has the message
  const answer = await request({ url: url.href, body: messageBody(outgoing), signal });
  if ("type" in answer) return answer;
  return discordProblem(answer, address) ?? ({ type: "done", result: answer.json } as const);
}

async function askDiscord(settings: ChannelSettings, signal: AbortSignal) {
  const { secrets, to = "" } = settings;
  if (secrets.url === undefined)
    return callDiscord(settings, { path: `/channels/${encodeURIComponent(to)}`, method: "GET", signal });
  const answer = await request({ url: secrets.url, method: "GET", signal });
  if ("type" in answer) return answer;
  return discordProblem(answer, secrets.url) ?? ({ type: "done", result: answer.json } as const);
}
