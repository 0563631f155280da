import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Findings, Overview, RunDetail } from "@sheepdog/web/contract";
import { describe, expect, test } from "vitest";
import { createSandbox, isBuilt, type Sandbox } from "../e2e/sandbox.ts";
import { followStream } from "./stream-reader.ts";

const push = { calls: [{ tool: "bash", input: { command: "git push" } }] };
const done = { text: "Done." };

/** A server in a process of its own. */
interface ServeProcess {
  readonly port: number;
  readonly token: string;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
  get<T>(path: string): Promise<T>;
  post(path: string, body: object): Promise<unknown>;
}

async function serve(sandbox: Sandbox, env: Record<string, string> = {}): Promise<ServeProcess> {
  const started = sandbox.start(["serve", "--no-open", "--port", "0"], { env });
  let out = "";
  started.child.stdout?.on("data", (chunk: Buffer) => {
    out += chunk.toString("utf8");
  });
  await started.says("#token=");
  await expect.poll(() => out).toMatch(/\n$/);
  const url = new URL(out.trim());
  const token = url.hash.replace("#token=", "");
  const send = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const answer = await fetch(new URL(path, url), { ...init, headers });
    return (await answer.json()) as unknown;
  };
  return {
    port: Number(url.port),
    token,
    kill: (signal) => void started.child.kill(signal),
    ended: new Promise((resolve) => started.child.once("exit", resolve)),
    get: <T>(path: string) => send(path) as Promise<T>,
    post: (path, body) => send(path, { method: "POST", body: JSON.stringify(body) }),
  };
}

/** Waits until a run asks something. */
async function waitsFor(server: ServeProcess, kind: string) {
  const waiting = async () =>
    (await server.get<Overview>("/api/overview")).waiting.filter((each) => each.kind === kind);
  await expect.poll(waiting, { timeout: 15_000 }).toHaveLength(1);
  const [question] = await waiting();
  if (question === undefined) throw new Error(`Expected a run that waits for ${kind}; got none.`);
  return question;
}

async function ends(server: ServeProcess, runId: string): Promise<string> {
  const state = async () => (await server.get<RunDetail>(`/api/runs/${runId}`)).run.state;
  await expect.poll(state, { timeout: 15_000 }).not.toMatch(/^(?:running|waiting)/);
  return state();
}

describe.skipIf(!isBuilt)("a run that is started from a page", () => {
  test("asks there, survives the death of the server, and continues with the answer", async (context) => {
    const sandbox = await createSandbox(context, [push, done]);
    const first = await serve(sandbox);
    const started = await first.post("/api/runs", { prompt: "publish it", workspace: sandbox.workspace });
    expect(started).toEqual({ isDone: true, text: "The run has started.", runId: expect.stringMatching(/^run_/) });
    const { runId } = started as { runId: string };
    expect(await waitsFor(first, "approval")).toMatchObject({ runId, command: "git push", canAnswer: true });
    first.kill("SIGKILL");
    const second = await serve(sandbox);
    const { id: callId } = await waitsFor(second, "approval");
    const approval = { type: "approval", callId, isAllowed: false, reason: "Not today." };
    expect(await second.post(`/api/runs/${runId}/command`, approval)).toEqual({ isDone: true, text: "Denied.", runId });
    expect(await second.post(`/api/runs/${runId}/command`, approval)).toMatchObject({ isDone: false });
    expect(await ends(second, runId)).toBe("completed");
    const last = sandbox.server.requests.at(-1);
    expect(JSON.stringify(last)).toContain("Not today.");
  });

  test("is followed live: what it writes arrives before it is saved", async (context) => {
    const sandbox = await createSandbox(context, [push, done]);
    const server = await serve(sandbox);
    const reader = await followStream(server);
    const { runId } = (await server.post("/api/runs", { prompt: "publish it", workspace: sandbox.workspace })) as {
      runId: string;
    };
    const { id: callId } = await waitsFor(server, "approval");
    await server.post(`/api/runs/${runId}/command`, { type: "approval", callId, isAllowed: false });
    expect(await ends(server, runId)).toBe("completed");
    const typesOf = (type: string) =>
      reader.messages.flatMap((message) =>
        message.type === type && "events" in message ? message.events.map((event) => event.type) : [],
      );
    await expect.poll(() => typesOf("events"), { timeout: 15_000 }).toContain("RunComplete");
    await expect.poll(() => typesOf("live"), { timeout: 15_000 }).toContain("TextDelta");
    expect(typesOf("events")).not.toContain("TextDelta");
    reader.close();
  });

  test("can be stopped, and resumed", async (context) => {
    const sandbox = await createSandbox(context, [push, done]);
    const server = await serve(sandbox);
    const { runId } = (await server.post("/api/runs", { prompt: "publish it", workspace: sandbox.workspace })) as {
      runId: string;
    };
    await waitsFor(server, "approval");
    expect(await server.post("/api/stop-all", {})).toMatchObject({ isDone: true, text: "1 run stopped." });
    expect(await ends(server, runId)).toBe("cancelled");
    expect(await server.post(`/api/runs/${runId}/command`, { type: "stop" })).toMatchObject({
      isDone: false,
      text: expect.stringMatching(/^The run was not stopped: the run ended at \d\d:\d\d\. Resume it instead\.$/),
    });
    const resumed = (await server.post(`/api/runs/${runId}/resume`, { maxCostUsd: 5 })) as { runId: string };
    expect(resumed).toMatchObject({ isDone: true, text: "The run has been resumed." });
    expect(await ends(server, resumed.runId)).toBe("completed");
    const forked = (await server.post(`/api/runs/${resumed.runId}/fork`, { prompt: "again" })) as { runId: string };
    expect(forked).toMatchObject({ isDone: true, text: "A run has started in a copy of the session." });
    expect(await ends(server, forked.runId)).toMatch(/^(?:completed|error)$/);
  });

  test("is known to the server after its database was rebuilt", async (context) => {
    const sandbox = await createSandbox(context, [done, done]);
    const server = await serve(sandbox);
    const database = join(sandbox.home, "sheepdog.db");
    const start = () =>
      server.post("/api/runs", { prompt: "hello", workspace: sandbox.workspace }) as Promise<{
        readonly runId: string;
      }>;
    expect(await ends(server, (await start()).runId)).toBe("completed");
    await writeFile(database, randomBytes(80_000)); // in place
    expect(await start()).toMatchObject({ isDone: false, text: expect.stringContaining("sheepdog doctor --rebuild") });
    expect(await sandbox.run(["doctor", "--rebuild"])).toMatchObject({ code: 0 });
    expect(await ends(server, (await start()).runId)).toBe("completed");
  });

  test("that cannot start says why in its own words", async (context) => {
    const sandbox = await createSandbox(context, []);
    const server = await serve(sandbox, { ANTHROPIC_API_KEY: "" });
    const start = { prompt: "x", workspace: sandbox.workspace };
    expect(await server.post("/api/runs", start)).toMatchObject({
      isDone: false,
      text: expect.stringMatching(/^The run was not started: .*model/s),
    });
    expect(await server.post("/api/runs", { ...start, model: "nobody:none" })).toMatchObject({
      isDone: false,
      text: expect.stringContaining("nobody"),
    });
  });
});

describe.skipIf(!isBuilt)("a server that has analyzed runs", () => {
  test("ends when it is interrupted, and does not wait for the thread of the analysis", async (context) => {
    const sandbox = await createSandbox(context, [done]);
    const server = await serve(sandbox);
    const { runId } = (await server.post("/api/runs", { prompt: "hello", workspace: sandbox.workspace })) as {
      runId: string;
    };
    await ends(server, runId);
    await expect
      .poll(async () => (await server.get<Findings>("/api/findings?days=30")).progress, { timeout: 10_000 })
      .toEqual({ done: 1, total: 1 });
    server.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  }, 20_000); // an idle thread lives for 30 seconds
});
