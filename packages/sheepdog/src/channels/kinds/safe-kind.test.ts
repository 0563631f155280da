import { expect, test } from "vitest";
import { channelOf } from "../../../test/channels/samples.ts";
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
