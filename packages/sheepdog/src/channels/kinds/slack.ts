import { actionData } from "../answers/actions.ts";
import type { ChannelKind, Outgoing, SendResult } from "../channel-kind.ts";
import { noticeText, plainMessage } from "../notice-text.ts";
import { field, idText, request, resultOf, safeWords } from "./http.ts";
import { inert, type Markup, markedUp } from "./markup.ts";
import { callSlack } from "./slack-api.ts";
import { readSlack } from "./slack-socket.ts";

/** Slack: an incoming webhook, or a bot with `chat.postMessage`, and Socket Mode for answers. */
export const slack: ChannelKind = {
  spacingMs: 1_100, // one message a second and channel
  async send(settings, outgoing, signal) {
    const { secrets, to } = settings;
    if (secrets.url !== undefined) return sendToWebhook(secrets.url, outgoing, signal);
    const body = { channel: to, unfurl_links: false, unfurl_media: false, ...messageBody(outgoing) };
    const called = await callSlack(settings, { method: "chat.postMessage", body, signal });
    if (called.type !== "done") return called;
    const messageId = idText(field(called.result, "ts"));
    const place = idText(field(called.result, "channel"));
    return {
      type: "sent",
      answer: `Slack accepted message ${messageId ?? ""} for channel ${place ?? ""}.`,
      ...(messageId === undefined ? {} : { messageId }),
      ...(place === undefined ? {} : { place }),
    };
  },
  async check(settings, signal) {
    if (settings.secrets.url !== undefined)
      return { type: "sent", answer: "An incoming webhook can only be checked by a message." };
    const called = await callSlack(settings, { method: "auth.test", body: {}, signal });
    if (called.type !== "done") return called;
    const { app_token: token } = settings.secrets;
    if (token !== undefined) {
      const opened = await callSlack(settings, { method: "apps.connections.open", body: {}, signal, token });
      if (opened.type !== "done") return { ...opened, problem: `Answers cannot be read: ${opened.problem}` };
    }
    return { type: "sent", answer: `Slack knows the bot ${safeWords(String(field(called.result, "user") ?? ""))}.` };
  },
  conversation: { read: readSlack },
};

const maxChars = 2_900;

const mrkdwn: Markup = {
  escape: escapeSlack,
  bold: (escaped) => `*${escaped.replaceAll("*", "·")}*`,
  code: (text) => `\`\`\`${escapeSlack(text.replaceAll("```", "'''"))}\`\`\``,
};

function escapeSlack(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** The message as blocks, and as text for notifications. */
function messageBody({ notice, actions, requestId }: Outgoing): object {
  const text = noticeText(notice, actions);
  const styles = { good: { style: "primary" }, bad: { style: "danger" }, plain: {} } as const;
  const buttons =
    requestId === undefined
      ? []
      : actions.map(({ verb, label, tone }) => ({
          type: "button",
          action_id: verb,
          text: { type: "plain_text", text: label },
          value: actionData(verb, requestId),
          ...styles[tone],
        }));
  return {
    text: escapeSlack(inert(plainMessage({ ...text, lines: text.lines.slice(0, 1) }))),
    blocks: [
      { type: "section", text: { type: "mrkdwn", text: markedUp(text, mrkdwn, maxChars), verbatim: true } },
      ...(buttons.length === 0 ? [] : [{ type: "actions", elements: buttons }]),
    ],
  };
}

async function sendToWebhook(url: string, outgoing: Outgoing, signal: AbortSignal): Promise<SendResult> {
  const answer = await request({ url, body: messageBody(outgoing), signal });
  if ("type" in answer) return answer;
  const words = safeWords(answer.text);
  return resultOf(answer, url, words) ?? { type: "sent", answer: `Slack answered: ${words}.` };
}
