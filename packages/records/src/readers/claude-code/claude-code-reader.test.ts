import { describe, expect, test } from "vitest";
import { expectedClaudeCode } from "../../../test/fixtures/expected/claude-code.ts";
import { fixtureLines, fixtureText } from "../../../test/fixtures/home.ts";
import { ownRuns } from "../../../test/own-runs.ts";
import { readText } from "../../../test/read-text.ts";
import { totalsOf } from "../../../test/totals.ts";
import type { RecordedRun } from "../../index.ts";
import { claudeCodeReader } from "./claude-code-reader.ts";

const project = ".claude/projects/-home-ada-shop";
const session = "0b6f1a52-7c1d-4e58-9a3b-2f64d0c7e911";
const oldSession = "5d3c2b1a-90ab-4cde-8f01-23456789abcd";
const fork = "e2c9d7b0-1f3a-4b6c-8d5e-7a8b9c0d1e2f";
const files = {
  main: `${project}/${session}.jsonl`,
  subagent: `${project}/${session}/subagents/agent-a1b2c3d.jsonl`,
  sideThread: `${project}/${session}/subagents/agent-b7c8d9e.jsonl`,
  old: `${project}/${oldSession}.jsonl`,
  fork: `${project}/${fork}.jsonl`,
};

async function runsOf(path: string): Promise<RecordedRun[]> {
  return (await readText(fixtureText(path), path)).runs;
}

describe("sums of Claude Code recordings", () => {
  test("every request counts once, with its last output and with all input", async () => {
    const main = await runsOf(files.main);
    const rest = await Promise.all([files.subagent, files.sideThread, files.old, files.fork].map(runsOf));
    const runs = ownRuns([...main, ...rest.flat()]);
    expect(totalsOf(runs)).toEqual(expectedClaudeCode);
    const copies = runs.flatMap(({ id, counting }) =>
      counting?.copiedRequests ? [[id, counting.copiedRequests]] : [],
    );
    expect(copies).toEqual([
      [`${session}/b7c8d9e`, 1],
      [fork, 2],
    ]);
  });

  test("lines that repeat usage and replies in the model's name are counted apart", async () => {
    const [main] = await runsOf(files.main);
    expect(main?.counting).toEqual({ repeatedUsage: 3, syntheticReplies: 1 });
    expect(main?.steps[0]?.usage).toEqual({
      inputTokens: 1004,
      cacheReadTokens: 0,
      cacheWriteTokens: 1000,
      cacheWrite1hTokens: 1000,
      outputTokens: 90,
      request: "msg_01ShopAxxxxxxxxxxxxxxxxx",
    });
  });

  test("a request that a gateway gives the id of another one is a request of its own", async () => {
    const line = (request: string, requestId: string) => reply({ id: "msg_1", requestId, text: request });
    const { runs } = await readText(line("one", "req_1") + line("two", "req_2"));
    expect(runs[0]?.steps.map(({ text, usage }) => [text, usage?.request])).toEqual([
      ["one", "msg_1 req_1"],
      ["two", "msg_1 req_2"],
    ]);
  });

  test("history that is written again into the same file changes nothing", async () => {
    const text = fixtureText(files.old);
    const once = await readText(text);
    const twice = await readText(text + text);
    expect(twice.runs.map(({ steps }) => steps)).toEqual(once.runs.map(({ steps }) => steps));
  });

  test("a recorded cost stays", async () => {
    const { runs } = await readText(reply({ id: "msg_1", costUSD: 0.25 }) + reply({ id: "msg_1", costUSD: 0.25 }));
    expect(runs[0]?.steps.map(({ usage }) => usage?.costUsd)).toEqual([0.25]);
  });
});

describe("a session of Claude Code", () => {
  test("has its task, its folder and its model, and no outcome", async () => {
    const [main] = await runsOf(files.main);
    const { steps: _, counting: __, ...facts } = main ?? { steps: [] };
    expect(facts).toEqual({
      id: session,
      source: "claude-code",
      model: "claude-opus-4-6",
      task: "The checkout test fails. Please fix it.",
      project: "/home/ada/shop",
    });
  });

  test("people write prompts and queued messages, but no commands, results, notices and summaries", async () => {
    const [main] = await runsOf(files.main);
    expect(main?.steps.flatMap(({ user, turn }) => (user ? [turn] : []))).toEqual([0, 3, 6]);
    expect(main?.steps.flatMap(({ compacted, turn }) => (compacted ? [turn] : []))).toEqual([3]);
  });

  test("calls keep what the model was told, and how they ended", async () => {
    const [main] = await runsOf(files.main);
    const calls = main?.steps.flatMap((step) => step.calls) ?? [];
    expect(calls.map(({ name, isError, status }) => [name, isError, status])).toEqual([
      ["Bash", true, undefined],
      ["Read", false, undefined],
      ["Edit", true, undefined],
      ["Task", false, undefined],
      ["Bash", true, "denied"],
      ["Agent", false, undefined],
      ["Frobnicate", true, "unknown-tool"],
      ["Bash", true, "timeout"],
      ["Bash", null, "interrupted"],
    ]);
    expect(calls[0]).toEqual({
      name: "Bash",
      args: { command: "npm test -- checkout", description: "Run the test" },
      result: "Exit code 1\nFAIL src/checkout.test.ts\nexpected 12 to be 13\nnpm error Lifecycle script `test` failed",
      isError: true,
      at: Date.UTC(2026, 10, 2, 9, 0, 4),
      endedAt: Date.UTC(2026, 10, 2, 9, 0, 6),
      position: { line: 5 },
    });
    expect(main?.steps[1]?.calls.map(({ name }) => name)).toEqual(["Read", "Edit"]);
  });

  test("calls are connected with their subagents, in the background too", async () => {
    const [main] = await runsOf(files.main);
    const children = main?.steps.flatMap(({ calls }) => calls).filter(({ child }) => child !== undefined);
    expect(children?.map(({ name, child, childTokens }) => ({ name, child, childTokens }))).toEqual([
      { name: "Task", child: `${session}/a1b2c3d`, childTokens: 632 },
      { name: "Agent", child: `${session}/b7c8d9e`, childTokens: 1254 },
    ]);
    const [subagent] = await runsOf(files.subagent);
    expect([subagent?.id, subagent?.parent, subagent?.task, subagent?.model]).toEqual([
      `${session}/a1b2c3d`,
      session,
      "Find every caller of the function checkoutTotal and list the files.",
      "claude-haiku-4-5-20251001",
    ]);
  });

  test("progress lines of a subagent are an excerpt of its run", async () => {
    const [, excerpt] = await runsOf(files.main);
    const [subagent] = await runsOf(files.subagent);
    expect([excerpt?.id, excerpt?.isExcerpt, excerpt?.steps.length]).toEqual([subagent?.id, true, 1]);
    expect(subagent?.isExcerpt).toBeUndefined();
    expect(excerpt?.steps[0]?.usage?.request).toBe(subagent?.steps[0]?.usage?.request);
  });

  test("subagents in the file of their parent are runs of their own, although their lines alternate", async () => {
    const [main, cart, checkout, ...others] = await runsOf(files.old);
    expect(others).toEqual([]);
    expect(main?.steps[0]?.calls.map(({ child }) => child)).toEqual([cart?.id, checkout?.id]);
    expect([cart?.parent, checkout?.parent]).toEqual([oldSession, oldSession]);
    expect(
      [cart, checkout].map((run) => [run?.task, run?.steps.map(({ text, calls }) => text || calls[0]?.name)]),
    ).toEqual([
      ["Describe the cart.", ["Read", "The cart has a total."]],
      ["Describe the checkout.", ["Grep", "The checkout uses it."]],
    ]);
  });

  test("a side thread in the same file does not pay a reply of its parent again", async () => {
    const { runs } = await readText(
      reply({ id: "msg_01ShopAxxxxxxxxxxxxxxxxx", requestId: "req_1" }) +
        reply({
          id: "msg_01ShopAxxxxxxxxxxxxxxxxx",
          requestId: "req_2",
          isSidechain: true,
          uuid: "s1",
          parentUuid: null,
        }) +
        reply({
          id: "msg_01ShopBxxxxxxxxxxxxxxxxx",
          requestId: "req_3",
          isSidechain: true,
          uuid: "s2",
          parentUuid: "s1",
        }),
    );
    expect(runs.map(({ id, counting, steps }) => [id, counting, steps.length])).toEqual([
      ["ses", undefined, 1],
      ["ses/s1", { copiedRequests: 1 }, 1],
    ]);
  });
});

describe("recognizing Claude Code", () => {
  test("its own files are recognized by any of their lines", () => {
    for (const path of Object.values(files)) expect(claudeCodeReader.recognizes(fixtureLines(path))).toBe(true);
    expect(claudeCodeReader.recognizes(fixtureLines(files.main).slice(0, 1))).toBe(true);
    expect(claudeCodeReader.recognizes(fixtureLines(files.old).slice(0, 1))).toBe(true);
  });

  test("files of other formats are not", () => {
    const others = [
      fixtureLines("logs/claude-stream.jsonl"),
      fixtureLines("logs/anthropic-messages.jsonl"),
      [{ timestamp: "2026-11-02T09:00:00Z", type: "session_meta", payload: { id: "1", cwd: "/home/ada" } }],
      [{ sessionId: "1", projectHash: "abc", startTime: "2026-11-02T09:00:00Z", kind: "main" }],
      [{ uuid: "1", sessionId: "1", type: "user", cwd: "/", message: { role: "user", parts: [{ text: "Hi" }] } }],
      [{ type: "session", version: 3, id: "1", timestamp: "2026-11-02T09:00:00Z", cwd: "/home/ada" }],
      [{ role: "user", content: "Hi" }],
      [{ id: "1", steps: [] }],
    ];
    for (const lines of others) expect(claudeCodeReader.recognizes(lines)).toBe(false);
  });
});

describe("damaged recordings of Claude Code", () => {
  const lines = fixtureText(files.main).trim().split("\n");

  test("a last line that was cut off costs that line only", async () => {
    const { runs, skipped } = await readText(fixtureText(files.main).slice(0, -100));
    expect(runs[0]?.steps).toHaveLength(8);
    expect(skipped).toEqual([{ file: "renamed.txt", line: lines.length, why: expect.stringContaining("not JSON") }]);
  });

  test("foreign lines are reported once", async () => {
    const foreign = [`{"type":"holo-deck"}`, `{"level":"info"}`, `{"type":"holo-deck"}`].join("\n");
    const { runs, skipped } = await readText(
      `${lines.slice(0, 5).join("\n")}\n${foreign}\n${lines.slice(5).join("\n")}`,
    );
    expect(runs[0]?.steps).toHaveLength(8);
    expect(skipped).toEqual([
      {
        file: "renamed.txt",
        line: 6,
        lines: 3,
        why:
          "lines that the reader of Claude Code recordings does not know were left out: " +
          "holo-deck ×2, a line without a type",
      },
    ]);
  });

  test("fields of odd types count as missing, and nothing throws", async () => {
    const text = fixtureText(files.main) + fixtureText(files.old);
    for (const odd of ["null", "7", '"text"', "[]", "{}", '[{"type":"tool_use"},{"type":"tool_result"},3]']) {
      for (const field of [
        "message",
        "content",
        "usage",
        "toolUseResult",
        "data",
        "attachment",
        "model",
        "id",
        "input",
      ]) {
        const damaged = text.replaceAll(new RegExp(`"${field}":(?=["[{])`, "g"), `"${field}":${odd},"was":`);
        expect((await readText(damaged)).skipped.every(({ why }) => why !== "")).toBe(true);
      }
    }
  });

  test("flipped bits cost no more than the lines they are in", async () => {
    const damaged = lines.map((line, index) => (index % 7 === 3 ? line.replace('{"', '{x"') : line));
    const { runs, skipped } = await readText(damaged.join("\n"));
    expect(runs.length).toBeGreaterThan(0);
    expect(skipped).toHaveLength(damaged.filter((line) => line.startsWith("{x")).length);
  });
});

interface ReplyFields {
  readonly id: string;
  readonly requestId?: string;
  readonly text?: string;
  readonly costUSD?: number;
  readonly isSidechain?: boolean;
  readonly uuid?: string;
  readonly parentUuid?: string | null;
}

/** A line with a reply. */
function reply({ id, text = "Done.", ...line }: ReplyFields): string {
  const usage = { input_tokens: 10, output_tokens: 5 };
  const message = { id, model: "claude-opus-4-6", role: "assistant", content: [{ type: "text", text }], usage };
  const common = { type: "assistant", sessionId: "ses", uuid: "u", isSidechain: false };
  return `${JSON.stringify({ ...common, ...line, message })}\n`;
}
