import { dirname } from "node:path";
import type { AgentEvent, AgentEventType, Stores } from "@sheepdog/agent";
import { type Script, startWireServer, type WireRequest } from "@sheepdog/agent/testing";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type FakeIo, fakeIo } from "../../../test/fake-io.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { openStores } from "../../compose/open-stores.ts";
import { type ControlMessage, createRunPort } from "../../control/index.ts";
import { type Home, resolveHome } from "../../home.ts";
import { runCommand } from "./run-command.ts";

const file = scratchFolder();
const sessionId = "ses_web";
const push = { calls: [{ tool: "bash", input: { command: "git push" } }] };
const ask = { calls: [{ tool: "ask_user", input: { question: "Which port?", choices: ["80", "8080"] } }] };
const same = { calls: [{ tool: "read", input: { path: "a.txt" } }] };
const done = { text: "Done." };

interface Started {
  readonly io: FakeIo;
  readonly home: Home;
  readonly stores: Stores;
  start(words: readonly string[], more?: object): Promise<number>;
  /** Waits for an event in the store, as another process reads it. */
  saved<T extends AgentEventType>(type: T): Promise<Extract<AgentEvent, { type: T }>>;
  send(message: ControlMessage): Promise<unknown>;
}

async function setUp(script: Script<WireRequest>, isTTY = false): Promise<Started> {
  const server = await startWireServer(script);
  const home = resolveHome({ SHEEPDOG_HOME: await file("home") });
  const io = fakeIo({
    isTTY,
    columns: 80,
    cwd: dirname(await file("work/a.txt", "Rex\n")),
    env: {
      SHEEPDOG_HOME: home.dir,
      ANTHROPIC_API_KEY: "k",
      ANTHROPIC_BASE_URL: server.url,
      NO_COLOR: "1",
      TERM: "dumb",
    },
  });
  const stores = await openStores(home, home.logDir);
  onTestFinished(async () => {
    await stores.close();
    await server.close();
  });
  return {
    io,
    home,
    stores,
    start: (words, more = {}) => runCommand(words, { answers: "remote", sessionId, quiet: true, ...more }, io),
    saved: (type) =>
      vi.waitFor(async () => {
        const events = await stores.events.after(sessionId, 0);
        const event = events.findLast((each) => each.type === type);
        if (event === undefined) throw new Error(`There is no ${type} yet.`);
        return event as Extract<AgentEvent, { type: typeof type }>; // it has the type
      }, 5_000),
    async send(message) {
      const { runId = "" } = (await stores.events.after(sessionId, 0)).at(-1) ?? {};
      const port = createRunPort(home);
      expect(await port.canReceive(runId)).toBe(true);
      return port.send(runId, message);
    },
  };
}

describe("a new session with --session-id", () => {
  test("has this id, and is refused if it exists or is no id", async () => {
    const { start, stores, io } = await setUp([done]);
    expect(await start(["Say it."])).toBe(0);
    expect((await stores.sessions.list()).map((session) => session.sessionId)).toEqual([sessionId]);
    expect(await start(["Again."])).toBe(2);
    expect(await start(["Again."], { sessionId: "../x" })).toBe(2);
    expect(io.err()).toContain("--session-id ses_web: this session exists; to continue it: --resume ses_web");
    expect(io.err()).toContain("--session-id: an id has only letters, digits, - and _");
  });
});

describe("a run with --answers remote", () => {
  test("waits for an approval from another process", async () => {
    const { start, saved, send, stores } = await setUp([push, push, done]);
    const ended = start(["Push it."]);
    const { callId } = await saved("ApprovalRequested");
    const refusal: ControlMessage = { type: "approval", callId, isAllowed: false, reason: "not on Friday" };
    expect(await send({ ...refusal, callId: "other" })).toEqual({
      type: "refused",
      reason: "No such question is open.",
    });
    expect(await send(refusal)).toEqual({ type: "applied", message: refusal });
    const second = await vi.waitFor(async () => {
      const asked = await saved("ApprovalRequested");
      expect(asked.callId).not.toBe(callId);
      return asked;
    }, 5_000);
    // An answer that is sent again is never applied to the next question.
    expect(await send({ ...refusal, isAllowed: true })).toEqual({
      type: "refused",
      reason: "This question was answered already.",
    });
    await send({ type: "approval", callId: second.callId, isAllowed: false });
    expect(await ended).toBe(0);
    const resolved = (await stores.events.after(sessionId, 0)).filter(({ type }) => type === "ApprovalResolved");
    expect(resolved).toMatchObject([
      { callId, isAllowed: false, reason: "the user said no: not on Friday", by: "remote" },
      { callId: second.callId, isAllowed: false, by: "remote" },
    ]);
  });

  test("waits for the answer to a question of the agent", async () => {
    const { start, saved, send, stores } = await setUp([ask, done]);
    const ended = start(["Start it."]);
    const { callId, input } = await saved("ToolStart");
    expect(input).toEqual({ question: "Which port?", choices: ["80", "8080"] });
    expect(await send({ type: "reply", callId, text: "8080" })).toMatchObject({ type: "applied" });
    expect(await ended).toBe(0);
    const results = (await stores.sessions.load(sessionId)).messages.filter(({ role }) => role === "tool");
    expect(results).toMatchObject([{ content: "The user answered: 8080" }]);
  });

  test("asks how it continues before the guardian refuses calls", async () => {
    const { start, saved, send } = await setUp([...Array.from({ length: 8 }, () => same), done]);
    const ended = start(["Read it."], { set: ["agent.guardian.second_opinion=off"] });
    const { question } = await saved("QuestionAsked");
    const answer: ControlMessage = { type: "answer", questionId: question.id, answer: { type: "stop" } };
    expect(await send(answer)).toEqual({ type: "applied", message: answer });
    expect(await ended).toBe(5);
    expect(await saved("QuestionAnswered")).toMatchObject({ by: "remote" });
  });

  test("can resume a session", async () => {
    const { start, saved, send } = await setUp([push, push, done]);
    const first = start(["Push it."]);
    const { runId } = await saved("ApprovalRequested");
    await send({ type: "stop" });
    expect(await first).toBe(130);
    const second = start([], { resume: sessionId, sessionId: undefined });
    const { callId } = await vi.waitFor(async () => {
      const asked = await saved("ApprovalRequested");
      expect(asked.runId).not.toBe(runId);
      return asked;
    }, 5_000);
    expect(await send({ type: "approval", callId, isAllowed: false })).toMatchObject({ type: "applied" });
    expect(await second).toBe(0);
  });

  test("continues as an unattended run after the approval timeout", async () => {
    const { start, saved, send } = await setUp([push, done]);
    const ended = start(["Push it."], { set: ["security.approval_timeout_secs=1"] });
    const { callId, at, answerBy = 0 } = await saved("ApprovalRequested");
    expect(Math.abs(answerBy - at - 1_000)).toBeLessThan(50);
    await saved("ApprovalResolved");
    expect(await ended).toBe(0);
    expect(await send({ type: "approval", callId, isAllowed: true }).catch(() => "gone")).not.toMatchObject({
      type: "applied",
    });
  });
});
