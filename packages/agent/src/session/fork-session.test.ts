import { initialState } from "@sheepdog/guardian";
import { describe, expect, test } from "vitest";
import { pairingProblems } from "../../test/run-checks.ts";
import type { Message } from "../protocol/messages.ts";
import { noRecoveries } from "../protocol/recovery-counts.ts";
import { thisProcess } from "../stores/holder.ts";
import { memoryStores } from "../stores/memory-stores.ts";
import type { Commit } from "../stores/stores.ts";
import { forkSession } from "./fork-session.ts";

const usage = { input: 1, cacheRead: 0, cacheWrite: 0, output: 1, isEstimated: false };
const prompt: Message = { role: "user", id: "msg_1", at: 1, origin: "person", text: "Do it." };
const callingReply: Message = {
  role: "assistant",
  id: "msg_2",
  at: 2,
  parts: [{ type: "call", id: "call_1", tool: "bash", input: { command: "make" } }],
  stop: "calls",
  model: "m",
  usage,
};

async function storesWith(messages: readonly Message[], more: Partial<Commit> = {}) {
  const stores = memoryStores();
  const claim = await stores.sessions.claim("ses_a", thisProcess(), 1);
  if (!claim.ok) throw new Error("Expected a free session.");
  await stores.sessions.commit(claim.lease, { at: 2, messages, ...more });
  return stores;
}

describe("a fork of a session", () => {
  test("has the messages of the original, which stays unchanged", async () => {
    const stores = await storesWith([prompt]);
    await forkSession(stores, { from: "ses_a", to: "ses_b", at: 5 });
    expect((await stores.sessions.load("ses_b")).messages).toEqual([prompt]);
    expect((await stores.sessions.load("ses_a")).messages).toEqual([prompt]);
    const claim = await stores.sessions.claim("ses_b", { ...thisProcess(), id: "other" }, 6);
    expect(claim.ok).toBe(true);
  });

  test("has an unknown outcome for a call that is still running in the original", async () => {
    const stores = await storesWith([prompt, callingReply]);
    await forkSession(stores, { from: "ses_a", to: "ses_b", at: 5 });
    const { messages, unansweredCalls } = await stores.sessions.load("ses_b");
    expect(messages.at(-1)).toMatchObject({ role: "tool", callId: "call_1", status: "interrupted" });
    expect(unansweredCalls).toEqual([]);
    expect(pairingProblems(messages)).toEqual([]);
  });

  test("keeps what the last run of the original was started with", async () => {
    const spec = { version: 1, isAttended: false, settings: { "agent.max_turns": 3 } } as const;
    const state = { runId: "run_1", turn: 0, guardian: initialState("plain"), total: usage, costNanoUsd: 0 };
    const running = { runId: "run_1", prompt: "Do it.", startedAt: 1, state: "running", turns: 0 } as const;
    const stores = await storesWith([prompt], {
      checkpoint: { ...state, recoveries: noRecoveries },
      run: { ...running, usage, costNanoUsd: 0, spec },
    });
    await forkSession(stores, { from: "ses_a", to: "ses_b", at: 5 });
    expect((await stores.sessions.load("ses_b")).checkpoint?.spec).toEqual(spec);
  });

  test("needs an original with messages, and overwrites nothing", async () => {
    const stores = await storesWith([prompt]);
    await expect(forkSession(stores, { from: "ses_none", to: "ses_b", at: 5 })).rejects.toThrow(
      "Expected a session to fork; the session ses_none is empty or unknown.",
    );
    await expect(forkSession(stores, { from: "ses_a", to: "ses_a", at: 5 })).rejects.toThrow("Expected a new session");
  });
});
