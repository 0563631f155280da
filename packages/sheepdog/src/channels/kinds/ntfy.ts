import type { NoticeKind } from "../../config/channel-keys.ts";
import type { ChannelKind, Outgoing } from "../channel-kind.ts";
import type { ChannelSettings } from "../channel-settings.ts";
import { noticeText, plainMessage } from "../notice-text.ts";
import { field, idText, request, resultOf, safeWords } from "./http.ts";

/** ntfy: a JSON document to the address of the server, with the topic in it. */
export const ntfy: ChannelKind = {
  spacingMs: 1_000,
  async send(settings, outgoing, signal) {
    const url = serverOf(settings);
    const answer = await request({ url, body: messageBody(settings, outgoing), headers: keyOf(settings), signal });
    if ("type" in answer) return answer;
    const error = field(answer.json, "error");
    const problem = resultOf(answer, url, typeof error === "string" ? error : answer.text);
    if (problem !== undefined) return problem;
    const id = idText(field(answer.json, "id"));
    if (id === undefined) return { type: "retry", problem: "The server sent something else than ntfy does." };
    return { type: "sent", answer: `ntfy accepted message ${safeWords(id)}.` };
  },
  async check(settings, signal) {
    const url = `${serverOf(settings)}v1/health`;
    const answer = await request({ url, method: "GET", headers: keyOf(settings), signal });
    if ("type" in answer) return answer;
    const problem = resultOf(answer, url);
    if (problem !== undefined) return problem;
    return field(answer.json, "healthy") === true
      ? { type: "sent", answer: "The ntfy server is healthy." }
      : { type: "refused", problem: "The server does not answer as ntfy does." };
  },
};

/** The server turns a longer message into a file. */
const maxBytes = 4_000;

const priorities: Readonly<Record<NoticeKind, number>> = {
  start: 2,
  hint: 2,
  budget: 4,
  approval: 5,
  question: 5,
  halt: 4,
  end: 3,
};

function messageBody({ to }: Pick<ChannelSettings, "to">, { notice }: Outgoing): object {
  const { title, lines } = noticeText(notice);
  return {
    topic: to,
    title,
    message: fitted(plainMessage({ title: "", lines }).trim()),
    priority: priorities[notice.kind],
  };
}

function fitted(text: string): string {
  const bytes = Buffer.from(text, "utf8");
  return bytes.length <= maxBytes
    ? text
    : bytes
        .subarray(0, maxBytes)
        .toString("utf8")
        .replace(/\ufffd+$/, "…");
}

function serverOf({ apiUrl = "https://ntfy.sh" }: ChannelSettings): string {
  return apiUrl.endsWith("/") ? apiUrl : `${apiUrl}/`;
}

function keyOf({ secrets }: ChannelSettings): Readonly<Record<string, string>> {
  return secrets.token === undefined ? {} : { authorization: `Bearer ${secrets.token}` };
}
