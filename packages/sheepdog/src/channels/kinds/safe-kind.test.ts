import { expect, test } from "vitest";
import { channelOf, noticeOf, outgoing } from "../../../test/channels/samples.ts";
import { safeKind } from "./safe-kind.ts";

const token = "123456:AA-canary";
const channel = channelOf({ type: "telegram", token, to: "7", answer_from: ["7"] });

test("a problem with reading answers has no secret of the channel", async () => {
  const problems: string[] = [];
  const kind = safeKind({
    spacingMs: 0,
    send: async () => ({ type: "sent", answer: "" }),
    conversation: {
      async read(_settings, { onProblem }) {
        onProblem(`The server answered 404: no bot ${token}.`);
      },
    },
  });
  await kind.conversation?.read(channel, {
    signal: new AbortController().signal,
    onReady: () => {},
    onProblem: (problem) => problems.push(problem),
    onAnswer: async () => {},
  });
  expect(problems).toEqual(["The server answered 404: no bot …."]);
});

test("an error of a server shows no part of a secret address, also if it is cut off", async () => {
  const url = "https://hooks.example.org/services/T0123/B4567/canary0123456789?key=canary-in-the-query";
  const hook = channelOf({ type: "slack", url });
  const say = async (problem: string) => {
    const kind = safeKind({ spacingMs: 0, send: async () => ({ type: "refused", problem }) });
    return JSON.stringify(await kind.send(hook, outgoing(noticeOf()), new AbortController().signal));
  };
  for (const words of [
    "Cannot POST /services/T0123/B4567/canary0123456789?key=canary-in-the-query.",
    "Cannot POST /services/T0123/B4567/canary0123456789.",
    "Unknown hook canary0123456789.",
    "Cannot POST /services/T0123/B4567/canary01234.",
  ])
    expect(await say(words)).not.toMatch(/canary|B4567/);
});
