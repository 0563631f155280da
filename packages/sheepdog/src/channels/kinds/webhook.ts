import { type Action, actionData } from "../answers/actions.ts";
import { signedHeaders } from "../answers/signature.ts";
import type { ChannelKind, Outgoing } from "../channel-kind.ts";
import type { Notice } from "../notice.ts";
import { request, resultOf, safeWords } from "./http.ts";

/** A POST of JSON, signed as the specification Standard Webhooks says. Answers come to `sheepdog serve`. */
export const webhook: ChannelKind = {
  spacingMs: 0,
  async send({ secrets, name }, outgoing, signal) {
    const { url = "", secret } = secrets;
    const body = JSON.stringify(payload(name, outgoing));
    const at = Date.now();
    const headers =
      secret === undefined ? { "webhook-id": outgoing.id } : signedHeaders(body, { id: outgoing.id, at, secret });
    const answer = await request({ url, body, headers: { ...headers }, signal });
    if ("type" in answer) return answer;
    const words = safeWords(answer.text);
    const said = words === "" ? "" : `: ${words}`;
    return resultOf(answer, url, words) ?? { type: "sent", answer: `The server answered ${answer.status}${said}.` };
  },
};

/** The document that a program receives. */
function payload(channel: string, { id, notice, actions, requestId }: Outgoing): object {
  const { kind, at, run, sentence, code, details, costNanoUsd, command, answerBy } = notice;
  return {
    type: `sheepdog.${kind}`,
    timestamp: new Date(at).toISOString(),
    data: {
      id,
      channel,
      runId: run.runId,
      sessionId: run.sessionId,
      project: run.project,
      task: run.task,
      sentence,
      details,
      code: code ?? null,
      costUsd: typeof costNanoUsd === "number" ? costNanoUsd / 1e9 : null,
      command: command ?? null,
      request:
        requestId === undefined
          ? null
          : {
              id: requestId,
              answerBy: answerBy === undefined ? null : new Date(answerBy).toISOString(),
              actions: actionsOf(notice, actions).map(({ verb, ...action }) => ({
                ...action,
                data: actionData(verb, requestId),
              })),
            },
    },
  };
}

interface CallbackAction {
  readonly verb: string;
  /** The action of the answer. */
  readonly action: string;
  readonly label: string;
  /** The text of the answer, if it is a given one. */
  readonly text?: string;
}

/** What a program can answer. A question of the agent has the choices as replies, besides any other text. */
function actionsOf({ topic }: Notice, actions: readonly Action[]): readonly CallbackAction[] {
  if (topic?.type !== "reply") return actions.map(({ verb, label }) => ({ verb, action: verb, label }));
  return [
    { verb: "reply", action: "reply", label: "Reply" },
    ...actions.map(({ verb, label }) => ({
      ...{ verb, action: "reply", label },
      text: topic.choices[Number(verb.replace("choice", ""))] ?? label,
    })),
    { verb: "stop", action: "stop", label: "Stop the run" },
  ];
}
