import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { ScriptedTurn, WireRequest } from "@sheepdog/agent/testing";
import { describe, expect, type TestContext, test } from "vitest";
import { createSandbox, isBuilt, type Sandbox } from "./sandbox.ts";

/** Seven nodes: three at once, a condition that is not taken, and one that fails under two plans. */
const node = (id: string, inputs: readonly string[] = []) => ({ id, prompt: `Do part ${id}.`, inputs });
const edge = (from: string, to: string, when?: unknown) => ({ from, to, ...(when === undefined ? {} : { when }) });
const plans = [
  {
    nodes: [node("a"), node("b"), node("c"), node("d"), node("never"), node("e", ["b", "c", "d"]), node("f")],
    edges: [
      ...["b", "c", "d"].flatMap((id) => [edge("a", id), edge(id, "e")]),
      edge("a", "never", { output: "a", equals: "nothing" }),
      edge("e", "f"),
    ],
  },
  { diagnosis: "e needs one input only.", nodes: [node("e2", ["b"]), node("f")], edges: [edge("e2", "f")] },
  { diagnosis: "e2 has failed, too.", nodes: [node("e3", ["c"]), node("f")], edges: [edge("e3", "f")] },
];

/** Plans by the number of failed plans in the request; each node writes a line to a file of its own, then answers. */
function reply({ text }: WireRequest): ScriptedTurn {
  const usage = { input: 1_000, output: 100 };
  if (text.includes("<director>")) {
    const plan = plans[text.split("The plan failed.").length - 1];
    return plan === undefined || text.includes("Every part of the plan that was needed succeeded.")
      ? { text: "The report is written.", usage }
      : { calls: [{ tool: "execute_plan", input: plan }], usage };
  }
  const [, id = ""] = /Do part (\w+)\./.exec(text) ?? [];
  if (!text.includes("tool_result"))
    return { calls: [{ tool: "bash", input: { command: `echo ${id} >> ${id}.txt` } }], usage };
  return id === "e" || id === "e2" ? { text: "No.", stop: "refused", usage } : { text: `${id} is done`, usage };
}

const finished = ["a", "b", "c", "d", "e", "e2", "e3", "f"];
const command = ["run", "--director", "--unattended", "--expect", "report", "--stream-json", "Write the report."];

/** How often each node did its work, by the lines in its file. */
async function sideEffects({ workspace }: Sandbox): Promise<Readonly<Record<string, number>>> {
  const files = (await readdir(workspace)).filter((name) => name.endsWith(".txt")).toSorted();
  const counts = files.map(async (name) => {
    const lines = (await readFile(join(workspace, name), "utf8")).trim().split("\n");
    return [name.replace(".txt", ""), lines.length] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}

/** Every node has worked once, except those whose command may not have begun at the kill: their agents were told. */
async function expectEachOnce(sandbox: Sandbox): Promise<void> {
  const effects = await sideEffects(sandbox);
  const isUnknown = (id: string) =>
    sandbox.server.requests.some(
      ({ text }) => text.includes(`Do part ${id}.`) && /outcome unknown|interrupted/i.test(text),
    );
  const expected = finished.filter((id) => effects[id] !== undefined || !isUnknown(id));
  expect(effects).toEqual(Object.fromEntries(expected.map((id) => [id, 1])));
}

/** Kills the process at the n-th start or end of a node. Returns the session, or undefined if it ended before. */
async function killAt({ start }: Sandbox, boundary: number, more: readonly string[] = []): Promise<string | undefined> {
  const { child, ended } = start([...command, ...more]);
  let out = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    out += chunk.toString("utf8");
    const seen = out.match(/"type":"Node(?:Started|Complete)"/g)?.length ?? 0;
    if (seen >= boundary) child.kill("SIGKILL");
  });
  const { signal } = await ended;
  if (signal !== "SIGKILL") return undefined;
  return (JSON.parse(out.split("\n")[0] ?? "") as { readonly sessionId: string }).sessionId;
}

/** Dollars of one request of the script, at the list price. */
const REQUEST_USD = 0.003;

interface CostDocument {
  readonly total: { readonly costUsd: number; readonly uncertainUsd: number };
}

/** The money that is certain: requests in flight at a kill count with more than they can have cost. */
async function certainUsd({ run }: Sandbox): Promise<number> {
  const { total } = JSON.parse((await run(["cost", "--by", "purpose", "--json"])).out) as CostDocument;
  return total.costUsd - total.uncertainUsd;
}

const open = (context: Pick<TestContext, "onTestFinished">) => createSandbox(context, [], reply);

describe.skipIf(!isBuilt)("a director", { timeout: 300_000 }, () => {
  test("plans, runs nodes at the same time, skips one, changes the plan twice, and is shown", async (context) => {
    const sandbox = await open(context);
    const { code, out } = await sandbox.run(command);
    expect(code).toBe(0);
    expect(await sideEffects(sandbox)).toEqual(Object.fromEntries(finished.map((id) => [id, 1])));
    const events = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; nodeId?: string; status?: string });
    expect(events.filter(({ type }) => type === "EvolutionTriggered")).toHaveLength(2);
    expect(events.find(({ nodeId, status }) => nodeId === "never" && status !== undefined)).toMatchObject({
      status: "skipped",
    });
    const shown = (await sandbox.run(["show", "last"])).out;
    for (const id of [...finished, "never", "e needs one input only."]) expect(shown).toContain(id);
    expect((await sandbox.run(["show", "last", "--mermaid"])).out).toMatch(/^flowchart/);
  });

  test("continues after a kill at any start or end of a node, and no node works twice", async (context) => {
    for (let boundary = 1; ; boundary += 1) {
      const sandbox = await open(context);
      const sessionId = await killAt(sandbox, boundary);
      if (sessionId === undefined) {
        expect(boundary).toBeGreaterThan(16);
        return;
      }
      const { code, out, err } = await sandbox.run(["run", "--resume", sessionId, "--json"]);
      expect({ boundary, code, err }).toMatchObject({ boundary, code: 0 });
      await expectEachOnce(sandbox);
      const sent = sandbox.server.requests.length;
      const settled = (await certainUsd(sandbox)) / REQUEST_USD;
      expect({ boundary, settled }).toEqual({ boundary, settled: expect.closeTo(Math.round(settled), 6) });
      expect(settled).toBeLessThanOrEqual(sent + 0.001);
      expect(settled).toBeGreaterThan(sent - 4); // at most three nodes were in flight
      expect(JSON.parse(out)).toMatchObject({ reason: "goal_accepted" });
    }
  });

  test("is stopped by SIGTERM during the calls of its nodes, which continue in the next run", async (context) => {
    const sandbox = await createSandbox(context, [], (request) => {
      const turn = reply(request);
      const command = (turn.calls?.[0]?.input as { readonly command?: string } | undefined)?.command;
      if (command === undefined || request.index > 6) return turn;
      return { ...turn, calls: [{ tool: "bash", input: { command: `${command}; sleep 2` } }] };
    });
    const running = sandbox.start(command);
    while ((await sideEffects(sandbox))["b"] === undefined) await setTimeout(20); // its command is running now
    running.child.kill("SIGTERM");
    const { code, out } = await running.ended;
    expect(code).toBe(143);
    const { sessionId } = JSON.parse(out.split("\n")[0] ?? "") as { readonly sessionId: string };
    const resumed = await sandbox.run(["run", "--resume", sessionId, "--json"]);
    expect(resumed.code, resumed.err).toBe(0);
    await expectEachOnce(sandbox);
  });

  test("has one budget for all nodes, which holds to one request after a kill", async (context) => {
    const limit = 0.05;
    for (const boundary of [3, 6, 9]) {
      const sandbox = await open(context);
      const sessionId = (await killAt(sandbox, boundary, ["--max-cost", String(limit)])) ?? "";
      const { code } = await sandbox.run(["run", "--resume", sessionId, "--max-cost", String(limit)]);
      expect(code).toBe(4);
      expect(await certainUsd(sandbox)).toBeLessThan(limit + REQUEST_USD);
    }
  });
});
