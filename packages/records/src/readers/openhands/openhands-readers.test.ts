import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { collected } from "../../../test/builders.ts";
import { temporaryFolder } from "../../../test/fixtures/databases/create-database.ts";
import { expectedOpenhandsFolder, expectedOpenhandsTrajectory } from "../../../test/fixtures/expected/openhands.ts";
import { fixturePath } from "../../../test/fixtures/home.ts";
import { readText } from "../../../test/read-text.ts";
import { totalsOf } from "../../../test/totals.ts";
import type { RecordedRun } from "../../trajectory/recorded-run.ts";
import { readRecordingFile } from "../read-recording-file.ts";
import { openhandsTrajectoryReader } from "./openhands-trajectory-reader.ts";

const folder = fixturePath(".openhands/conversations/0b7d5f2e-6a1c-4a53-9e57-3c1f8b0d4e21");
const trajectory = fixturePath("exports/openhands-trajectory.json");
const read = (path: string) => collected(readRecordingFile(path));
const statuses = (run: RecordedRun | undefined) =>
  run?.steps.map(({ calls }) => calls.map(({ name, isError, status }) => [name, isError, ...(status ? [status] : [])]));

describe("a conversation of the OpenHands SDK", () => {
  test("has the totals that a person counts", async () => {
    const { runs, skipped } = await read(folder);
    expect(totalsOf(runs)).toEqual(expectedOpenhandsFolder);
    expect(skipped).toEqual([]);
  });

  test("is one run, with one for each subagent after it", async () => {
    const { runs } = await read(folder);
    expect(runs.map(({ steps: _, ...run }) => run)).toEqual([
      {
        id: "0b7d5f2e-6a1c-4a53-9e57-3c1f8b0d4e21",
        source: "openhands",
        model: "anthropic/claude-sonnet-4-5",
        task: "Fix the cart",
        outcome: "finished",
        project: "/home/ada/shop",
        counting: { rewoundMessages: 1, withoutUsage: 1 },
      },
      {
        id: "91c4d0aa-0000-4000-8000-000000000000",
        source: "openhands",
        model: "anthropic/claude-sonnet-4-5",
        task: "Look for the tax",
        outcome: "finished",
        project: "/home/ada/shop",
        parent: "0b7d5f2e-6a1c-4a53-9e57-3c1f8b0d4e21",
      },
    ]);
  });

  test("tells the state of each call, and keeps parallel calls in one step", async () => {
    const { runs } = await read(folder);
    expect(statuses(runs[0])).toEqual([
      [
        ["terminal", true],
        ["terminal", true, "timeout"],
      ],
      [["terminal", null, "interrupted"]],
      [["file_editor", true, "denied"]],
      [],
      [["refactor", true, "unknown-tool"]],
      [],
    ]);
  });

  test("keeps the arguments without what the model adds about a call", async () => {
    const { runs } = await read(folder);
    const args = runs[0]?.steps.flatMap((step) => step.calls.map((call) => call.args));
    expect(args?.slice(0, 1)).toEqual([{ command: "npm test", is_input: false }]);
    expect(args?.slice(-1)).toEqual([{ bad: 1, security_risk: "LOW", summary: "a summary of e-10" }]);
  });

  test("joins usage on the response id, and marks the step after a condensation", async () => {
    const { runs } = await read(folder);
    expect(runs[0]?.steps.map(({ usage, compacted }) => [usage?.request, usage?.inputTokens, compacted])).toEqual([
      ["r-1", 1_040, undefined],
      ["r-old", 2_000, undefined],
      ["r-2", 1_200, undefined],
      ["r-c", 2_000, undefined],
      ["r-3", 1_300, true],
      [undefined, undefined, undefined],
    ]);
  });

  test("whose state or events are damaged loses only these", async () => {
    const copy = join(temporaryFolder(), "conversation");
    cpSync(folder, copy, { recursive: true });
    writeFileSync(join(copy, "base_state.json"), '{"id":');
    writeFileSync(join(copy, "events/event-00004-e-4.json"), "\0\0");
    writeFileSync(join(copy, "events/event-00099-e-99.json"), '{"kind":"NewEvent","id":"e-99"}');
    const { runs, skipped } = await read(copy);
    expect(runs.map(({ id, steps }) => [id, steps.length])).toEqual([
      ["conversation", 5],
      ["91c4d0aa-0000-4000-8000-000000000000", 1],
    ]);
    expect(skipped.map(({ line, why }) => [line, why.replace(copy, "")])).toEqual([
      [1, "/base_state.json: this is not JSON (it ends too early); tokens and costs are unknown"],
      [1, "/events/event-00004-e-4.json: this is not JSON (it does not begin like a value)"],
      [1, "entries that the reader of OpenHands recordings does not know were left out: NewEvent"],
    ]);
  });
});

test.skipIf(process.platform === "win32")("a pipe among the events is not waited for", async () => {
  const copy = join(temporaryFolder(), "conversation");
  cpSync(folder, copy, { recursive: true });
  execFileSync("mkfifo", [join(copy, "events/event-00099-e-99.json")]);
  const { skipped } = await read(copy);
  expect(skipped.map(({ why }) => why.replace(copy, ""))).toEqual([
    "/events/event-00099-e-99.json: this is no ordinary file",
  ]);
});

test("usage that no event names is counted although no reply has any", async () => {
  const copy = join(temporaryFolder(), "conversation");
  cpSync(folder, copy, { recursive: true });
  const token_usages = [{ model: "m", prompt_tokens: 500, completion_tokens: 7, response_id: "r-title" }];
  const stats = { usage_to_metrics: { agent: { token_usages, costs: [] } } };
  writeFileSync(join(copy, "base_state.json"), JSON.stringify({ id: "c", stats }));
  const { runs } = await read(copy);
  expect(runs[0]?.steps[0]?.usage).toEqual({ inputTokens: 500, outputTokens: 7, request: "r-title" });
});

describe("a trajectory of OpenHands", () => {
  test("has the totals that a person counts", async () => {
    const { runs, skipped } = await read(trajectory);
    expect(totalsOf(runs)).toEqual(expectedOpenhandsTrajectory);
    expect(skipped).toEqual([]);
  });

  test("is a run with the tools that the model called", async () => {
    const { runs } = await read(trajectory);
    const [run] = runs;
    expect(statuses(run)).toEqual([
      [["execute_bash", true]],
      [["str_replace_editor", true, "denied"]],
      [["finish", false]],
    ]);
    expect(run?.steps.map(({ user, compacted }) => [user, compacted])).toEqual([
      [true, undefined],
      [undefined, true],
      [undefined, undefined],
    ]);
    expect([run?.task, run?.outcome, run?.model]).toEqual(["Fix the cart", "finished", "claude-sonnet-4-20250514"]);
  });

  test("is also read in the output of an evaluation, one task a line", async () => {
    const history = JSON.parse(readFileSync(trajectory, "utf8"));
    const lines = ["shop__cart-1", "shop__cart-2"].map((id) =>
      JSON.stringify({ instance_id: id, instruction: "", history }),
    );
    const { runs, skipped } = await readText(lines.join("\n"));
    expect(runs.map(({ id, steps }) => [id, steps.length, steps[0]?.position?.line])).toEqual([
      ["shop__cart-1", 3, 1],
      ["shop__cart-2", 3, 2],
    ]);
    expect(skipped).toEqual([]);
  });

  test("is recognized by its events, and other lists are not", () => {
    const others = [
      [],
      [{}],
      [{ role: "user", content: "" }],
      [{ action: "x" }],
      {},
      null,
      [1],
      [{ action: "run" }, 1],
    ];
    expect(others.filter((other) => openhandsTrajectoryReader.recognizes(other))).toEqual([]);
  });
});
