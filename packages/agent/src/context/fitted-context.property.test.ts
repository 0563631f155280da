import fc from "fast-check";
import { expect, test } from "vitest";
import type { Message, ReplyPart } from "../protocol/messages.ts";
import { currentPrompts } from "./current-prompts.ts";
import { type FitOptions, fitContext } from "./fitted-context.ts";
import { call, pairingProblem, reply, result, user } from "./testing/message-builders.ts";
import { createTokenCounter } from "./token-counter.ts";

// Estimates are fast, and the properties hold for any way of counting.
const counter = createTokenCounter({ loadEncoding: () => Promise.reject(new Error("not here")) });

const text = fc.oneof(
  { weight: 4, arbitrary: fc.nat(40).map((words) => "some words ".repeat(words)) },
  { weight: 1, arbitrary: fc.nat(3_000).map((words) => "many words ".repeat(words)) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
  { weight: 1, arbitrary: fc.nat(3_000).map((length) => 'aB\n"'.repeat(length)) },
);

type Step =
  | { readonly type: "user"; readonly origin: "person" | "automatic" | "scheduled"; readonly text: string }
  | {
      readonly type: "turn";
      readonly text: string;
      readonly thinking: string;
      readonly results: readonly string[];
      readonly isNoticed: boolean;
    };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constant("user" as const), origin: fc.constantFrom("person", "automatic", "scheduled"), text }),
  fc.record({
    type: fc.constant("turn" as const),
    text,
    thinking: text,
    results: fc.array(text, { maxLength: 4 }),
    isNoticed: fc.boolean(),
  }),
);

const history = fc.array(step, { maxLength: 40 }).map((steps) => steps.flatMap(messagesOf));

function messagesOf(step: Step, index: number): readonly Message[] {
  if (step.type === "user") return [user(`u${index}`, step.text, step.origin)];
  const calls = step.results.map((value, at) => call(`c${index}.${at}`, { path: `f${at}`, value }));
  const parts: readonly ReplyPart[] = [
    { type: "thinking", text: step.thinking },
    { type: "text", text: step.text },
    ...calls,
  ];
  const notice = step.isNoticed ? [user(`n${index}`, "<sheepdog-notice>Look up.</sheepdog-notice>", "guardian")] : [];
  return [
    reply(`r${index}`, parts, index % 3 === 0 ? index * 100 + 1 : undefined),
    ...step.results.map((value, at) => result(`c${index}.${at}`, value)),
    ...notice,
  ];
}

const settings = fc.record({
  maxTokens: fc.integer({ min: 400, max: 20_000 }),
  minTail: fc.nat(10),
  strategy: fc.constantFrom("summarize", "sliding_window", "compact"),
  system: fc.nat(200).map((words) => "rule ".repeat(words)),
  isRefused: fc.boolean(),
});

const fit = (messages: readonly Message[], more: Pick<FitOptions, "maxTokens" | "strategy">) =>
  fitContext({
    messages,
    system: "",
    tools: [],
    counter,
    summarize: async () => "summary of earlier messages",
    signal: new AbortController().signal,
    ...more,
  });

const isInserted = ({ id }: Message): boolean => id.startsWith("left-out:") || id.startsWith("summary:");
const ids = (messages: readonly Message[]): readonly string[] =>
  messages.filter((message) => !isInserted(message)).map(({ id }) => id);

test("every call sent has exactly one result behind it, and no result is without its call", async () => {
  await fc.assert(
    fc.asyncProperty(history, settings, async (messages, more) => {
      expect(pairingProblem((await fit(messages, more)).messages)).toBeUndefined();
    }),
  );
});

test("the same holds for damaged histories: messages lost, doubled and in disorder (I2)", async () => {
  const damaged = history.chain((messages) =>
    fc
      .tuple(fc.shuffledSubarray([...messages]), fc.subarray([...messages]))
      .map(([some, again]) => [...some, ...again]),
  );
  await fc.assert(
    fc.asyncProperty(damaged, settings, async (messages, more) => {
      expect(pairingProblem((await fit(messages, more)).messages)).toBeUndefined();
    }),
  );
});

test("the messages sent keep the order and the end of the history, and do not begin with a result", async () => {
  await fc.assert(
    fc.asyncProperty(history, settings, async (messages, more) => {
      const { messages: sent } = await fit(messages, more);
      const kept = new Set(ids(sent));
      expect(ids(sent)).toEqual(ids(messages).filter((id) => kept.has(id)));
      expect(sent[0]?.role).not.toBe("tool");
      expect(sent.at(-1)?.id).toBe(messages.at(-1)?.id);
    }),
  );
});

test("the newest message of a person and the notices of kept turns are sent", async () => {
  await fc.assert(
    fc.asyncProperty(history, settings, async (messages, more) => {
      const sent = new Set(ids((await fit(messages, more)).messages));
      const newest = messages.findLast((message) => message.role === "user" && message.origin === "person");
      if (newest !== undefined) expect(sent).toContain(newest.id);
      for (const { id } of messages) if (id.startsWith("n") && sent.has(`r${id.slice(1)}`)) expect(sent).toContain(id);
    }),
  );
});

test("the limit holds unless nothing more can be left out or cut", async () => {
  await fc.assert(
    fc.asyncProperty(history, settings, async (messages, more) => {
      const { messages: sent, percent, overflow } = await fit(messages, more);
      if (percent <= 85 || overflow !== undefined) return;
      const prompts = currentPrompts(sent);
      for (const message of sent.filter((each) => !prompts.has(each)))
        expect(counter.countMessage(message)).toBeLessThanOrEqual(least(message));
    }),
  );
});

/** The smallest size of a message: each of its texts is cut to a few words; a text of a few words is not cut. */
function least(message: Message): number {
  return 60 * (message.role === "assistant" ? message.parts.length + 1 : 1);
}

test("the current prompts are never cut or left out", async () => {
  await fc.assert(
    fc.asyncProperty(history, settings, async (messages, more) => {
      const sent = new Set((await fit(messages, more)).messages);
      for (const prompt of currentPrompts(messages)) expect(sent.has(prompt)).toBe(true);
    }),
  );
});

test("fitting twice is fitting once", async () => {
  await fc.assert(
    fc.asyncProperty(history, settings, async (messages, { isRefused: _, ...more }) => {
      const once = await fit(messages, more);
      expect((await fit(once.messages, more)).messages).toEqual(once.messages);
    }),
  );
});
