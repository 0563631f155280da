import { expect, onTestFinished, test, vi } from "vitest";
import type { IncomingAnswer } from "../../src/channels/answers/apply-answer.ts";
import { kindOf } from "../../src/channels/kinds/index.ts";
import { channelOf } from "./samples.ts";
import { startVendorServer } from "./vendor-server.ts";

/** Reads from a server with these updates, until the test is over. */
async function read(updates: readonly { readonly update_id: number }[], pages: (limit: number) => number) {
  const server = await startVendorServer(({ body }) => {
    const { offset = 0, limit = 100 } = body as { offset?: number; limit?: number };
    const waiting = updates.filter(({ update_id }) => update_id >= offset).slice(0, pages(limit));
    return waiting.length === 0 && offset > 0 ? "hang" : { json: { ok: true, result: waiting } };
  });
  const answers: IncomingAnswer[] = [];
  const problems: string[] = [];
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const channel = channelOf({ type: "telegram", token: "1:x", to: "7", answer_from: ["7"], api_url: server.url });
  void kindOf("telegram")?.conversation?.read(channel, {
    signal: abort.signal,
    onReady: () => {},
    onProblem: (problem) => problems.push(problem),
    onAnswer: async (answer) => void answers.push(answer),
  });
  return { server, answers, problems };
}

const message = (update_id: number, text: string) => ({
  update_id,
  message: {
    ...{ message_id: update_id, from: { id: 7 }, chat: { id: 7, type: "private" }, text },
    reply_to_message: { message_id: 1 },
  },
});

test("long messages of strangers do not hold up the answers behind them", async () => {
  const flood = Array.from({ length: 25 }, (_, index) => message(index + 1, "ü".repeat(4_096)));
  const { answers, problems } = await read([...flood, message(99, "yes")], (limit) => limit);
  await vi.waitFor(() => expect(answers.at(-1)?.text).toBe("yes"), { timeout: 5_000 });
  expect(problems).toEqual([]);
});

test("an update that cannot be read is left out, and the next one is read", async () => {
  const endless = message(2, "x".repeat(3_000_000));
  const { answers } = await read([message(1, "one"), endless, message(3, "three")], (limit) => limit);
  await vi.waitFor(() => expect(answers.map(({ text }) => text)).toEqual(["one", "three"]), { timeout: 5_000 });
});

test("a server that asks for years of waiting is not asked without a pause", async () => {
  const json = { ok: false, error_code: 429, description: "Too Many", parameters: { retry_after: 99_999_999 } };
  const server = await startVendorServer(() => ({ status: 429, json }));
  const abort = new AbortController();
  const channel = channelOf({ type: "telegram", token: "1:x", to: "7", answer_from: ["7"], api_url: server.url });
  const reading = kindOf("telegram")?.conversation?.read(channel, {
    signal: abort.signal,
    onReady: () => {},
    onProblem: () => {},
    onAnswer: async () => {},
  });
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(server.requests).toHaveLength(1);
  abort.abort();
  await reading;
});
