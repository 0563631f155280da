import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { thisProcess } from "@sheepdog/agent";
import { describe, expect, test } from "vitest";
import { approval, channelOf, noticeOf } from "../../../test/channels/samples.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { type Home, resolveHome } from "../../home.ts";
import { openRequest } from "../answers/requests.ts";
import type { ChannelKind, Outgoing, SendResult } from "../channel-kind.ts";
import { targetOf } from "../channel-settings.ts";
import type { Notice } from "../notice.ts";
import { addToOutbox, noteAttempt, readOutbox, removeQuestions } from "../outbox.ts";
import { makePrivateFolder, writePrivateFile } from "../private-files.ts";
import { backOffMs } from "./back-off.ts";
import { createDelivery } from "./deliver-account.ts";
import { claimAccount, isClaimed } from "./lease.ts";

const file = scratchFolder();
const channel = targetOf(channelOf({ type: "ntfy", to: "agents" }));
const never = new AbortController().signal;

async function newHome(): Promise<Home> {
  return resolveHome({ SHEEPDOG_HOME: await file("home") });
}

/** A kind with the results of its attempts; then everything is sent. */
async function delivering(home: Home, ...results: SendResult[]) {
  const sent: Outgoing[] = [];
  let now = 10_000;
  const kind: ChannelKind = {
    spacingMs: 100,
    async send(_settings, outgoing) {
      sent.push(outgoing);
      return results.shift() ?? { type: "sent", answer: "ok" };
    },
  };
  const options = { home, account: channel.account, secrets: {}, kind, now: () => now, random: () => 0.5 };
  const delivery = createDelivery({ ...options, isHeld: () => true, ready: async () => {} });
  return {
    sent,
    next: () => delivery.deliverNext(never),
    wait: (ms: number) => {
      now += ms;
    },
  };
}

test("back-off doubles, is spread, and follows the server", () => {
  expect([0, 1, 2, 3].map((attempt) => backOffMs(attempt, undefined, 0.5))).toEqual([1_000, 2_000, 4_000, 8_000]);
  expect(backOffMs(0, undefined, 0)).toBe(750);
  expect(backOffMs(40, undefined, 1)).toBe(750_000);
  expect(backOffMs(0, 30_000, 0.5)).toBe(30_000);
  expect(backOffMs(0, 1e12, 0.5)).toBe(3_600_000);
});

describe("delivery", () => {
  test("keeps the spacing of a vendor, and the order of messages about different runs", async () => {
    const home = await newHome();
    const other = { runId: "run_2", sessionId: "ses_2", task: "t", project: "p" };
    addToOutbox(home, { channel, notice: noticeOf({ id: "a", at: 9_000 }) });
    addToOutbox(home, { channel, notice: noticeOf({ id: "b", at: 9_001, run: other }) });
    const { sent, next, wait } = await delivering(home);
    expect(await next()).toBe(100);
    expect(await next()).toBe(100);
    wait(100);
    await next();
    expect(sent.map(({ id }) => id)).toEqual(["a", "b"]);
    expect(await next()).toBeUndefined();
  });

  test("waits as long as the server asks, keeps the message and why, then sends it under the same id", async () => {
    const home = await newHome();
    addToOutbox(home, { channel, notice: noticeOf({ id: "a", at: 9_000 }) });
    const { sent, next, wait } = await delivering(home, { type: "retry", problem: "Slow down.", afterMs: 7_000 });
    expect(await next()).toBe(7_000);
    expect(readOutbox(home, channel.account)).toMatchObject([{ attempts: 1, problem: "Slow down." }]);
    wait(6_999);
    expect(await next()).toBe(1);
    wait(1);
    await next();
    expect(sent.map(({ id }) => id)).toEqual(["a", "a"]);
    expect(readOutbox(home, channel.account)).toEqual([]);
  });

  test("joins news about a run that have waited, sends questions first, and drops those that are over", async () => {
    const home = await newHome();
    addToOutbox(home, { channel, notice: noticeOf({ id: "a", kind: "hint", at: 9_000, sentence: "One." }) });
    addToOutbox(home, { channel, notice: noticeOf({ id: "b", kind: "hint", at: 9_001, sentence: "Two." }) });
    addToOutbox(home, { channel, notice: { ...approval, id: "late", at: 9_002, answerBy: 9_500 } });
    const { run } = approval;
    const requestId = openRequest(home, { channel, run, topic: { type: "approval", callId: "c" } });
    addToOutbox(home, { channel, notice: { ...approval, id: "open", at: 9_003 }, requestId });
    addToOutbox(home, {
      channel,
      notice: { ...approval, id: "closed", at: 9_004 },
      requestId: "AAAAAAAAAAAAAAAAAAAAAA",
    });
    const { sent, next, wait } = await delivering(home);
    await next();
    wait(100);
    await next();
    expect(sent.map(({ id, notice }) => [id, notice.sentence, notice.details])).toEqual([
      ["open", approval.sentence, []],
      [expect.stringMatching(/^ntc_/), "Two.", ["One."]],
    ]);
    expect(readOutbox(home, channel.account)).toEqual([]);
  });

  test("sends joined news under an id of their own, the same at each attempt", async () => {
    const home = await newHome();
    const add = (id: string, at: number) => addToOutbox(home, { channel, notice: noticeOf({ id, kind: "hint", at }) });
    add("a", 9_000);
    const { sent, next, wait } = await delivering(home, { type: "retry", problem: "No answer." });
    await next();
    add("b", 9_001);
    wait(2_000);
    await next();
    expect(sent.map(({ id }) => id)).toEqual(["a", expect.stringMatching(/^ntc_[0-9a-f]{32}$/)]);
  });

  test("does not let a question wait for the next attempt of news", async () => {
    const home = await newHome();
    const down = { type: "retry", problem: "Down." } as const;
    addToOutbox(home, { channel, notice: noticeOf({ id: "news", at: 9_000 }) });
    const { sent, next, wait } = await delivering(home, down, down, down, down);
    for (let attempt = 0; attempt < 3; attempt++) wait((await next()) ?? 0);
    await next(); // the fourth attempt failed: the next one is seconds away
    addToOutbox(home, { channel, notice: { ...approval, id: "question", at: 9_001 } });
    wait(100);
    await next();
    expect(sent.at(-1)?.id).toBe("question");
  });

  test("gives up what the server refuses, and what is a day old", async () => {
    const home = await newHome();
    addToOutbox(home, { channel, notice: noticeOf({ at: 9_000 }) });
    const { next, wait, sent } = await delivering(home, { type: "refused", problem: "No such topic." });
    await next();
    expect(readOutbox(home, channel.account)).toEqual([]);
    addToOutbox(home, { channel, notice: noticeOf({ at: 9_000 }) });
    wait(25 * 3_600_000);
    await next();
    expect(sent).toHaveLength(1);
  });
});

describe("the outbox", () => {
  test("loses the questions of a run that were answered, or that ended, and nothing else", async () => {
    const home = await newHome();
    const ids = () => readOutbox(home, channel.account).map(({ notice }) => notice.id);
    const other: Notice = { ...approval, topic: { type: "question", questionId: "q" } };
    addToOutbox(home, { channel, notice: { ...approval, id: "one", at: 1 } });
    addToOutbox(home, { channel, notice: { ...other, id: "two", at: 2 } });
    addToOutbox(home, { channel, notice: noticeOf({ id: "end", at: 3 }) });
    const [one] = readOutbox(home, channel.account);
    removeQuestions(home, channel.account, { runId: "run_1", key: "call toolu_1" });
    expect(ids()).toEqual(["two", "end"]);
    if (one !== undefined) noteAttempt(home, one, "It failed in the meantime.");
    removeQuestions(home, channel.account, { runId: "run_1" });
    expect(ids()).toEqual(["end"]);
  });

  test("has only files of the user, and keeps the newest 200", async () => {
    const home = await newHome();
    for (let at = 0; at < 205; at++) addToOutbox(home, { channel, notice: noticeOf({ at }) });
    const entries = readOutbox(home, channel.account);
    expect(entries).toHaveLength(200);
    expect(entries[0]?.notice.at).toBe(5);
    const folder = join(home.channelsDir, "outbox", channel.account);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });

  test("survives damaged files", async () => {
    const home = await newHome();
    const folder = makePrivateFolder(home.dir, "channels", "outbox", channel.account);
    writePrivateFile(join(folder, "000000000000001-aaaaaaaaaaaa.json"), { notice: 3 });
    addToOutbox(home, { channel, notice: noticeOf() });
    expect(readOutbox(home, channel.account)).toHaveLength(1);
  });
});

describe("an account", () => {
  test("is delivered by one process at a time", async () => {
    const home = await newHome();
    const lease = claimAccount(home, "acc");
    expect(lease?.isHeld()).toBe(true);
    expect(claimAccount(home, "acc")).toBeUndefined();
    expect(isClaimed(home, "acc")).toBe(true);
    lease?.release();
    expect(isClaimed(home, "acc")).toBe(false);
    expect(claimAccount(home, "acc")).toBeDefined();
  });

  test("is taken over from a process that was killed", async () => {
    const home = await newHome();
    const folder = makePrivateFolder(home.dir, "channels", "leases");
    writePrivateFile(join(folder, "acc.json"), { ...thisProcess(), id: "proc_dead", pid: 999_999_999 });
    expect(isClaimed(home, "acc")).toBe(false);
    expect(claimAccount(home, "acc")?.isHeld()).toBe(true);
    expect(readdirSync(folder)).toEqual(["acc.json"]);
  });
});
