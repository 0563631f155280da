import { expect, test } from "vitest";
import { fakeIo } from "../../../test/fake-io.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { main } from "../../cli.ts";

const file = scratchFolder();
const hostile = "\u001b]0;owned\u0007\u001b[31m\u009b2J\r\nowned\u202e\u2066\u007f";
/** Everything that moves a cursor or changes the direction of text. A line of CSV ends with CR and LF. */
const unsafe = /[^\P{Cc}\r\n]|\r(?!\n)|[\u202a-\u202e\u2066-\u2069]/u;

function hostileLine(): string {
  const call = {
    name: `bash${hostile}`,
    args: { x: `make${hostile}` },
    result: `failed${hostile}`,
    isError: true,
    position: { file: `f${hostile}`, entry: `e${hostile}` },
  };
  const steps = [1, 2].flatMap((model) =>
    Array.from({ length: 9 }, () => ({
      text: `t${hostile}`,
      model: `m${model}${hostile}`,
      usage: { inputTokens: 9_000, outputTokens: 5 },
      calls: [call],
    })),
  );
  const names = ["id", "source", "model", "task", "outcome", "project", "parent"];
  return JSON.stringify({ ...Object.fromEntries(names.map((name) => [name, `${name}${hostile}`])), steps });
}

test.each([
  [[]],
  [["--explain"]],
  [["--explain", "cost"]],
  [["--by", "tool"]],
  [["--by", "model"]],
  [["--by", "project"]],
  [["--by", "agent"]],
  [["--json"]],
  [["--jsonl"]],
  [["--skipped"]],
])("analyze %j prints nothing of a recording that controls a terminal", async (args) => {
  const path = await file("runs.jsonl", `${hostileLine()}\n{"id": "x", "steps": "${"\\u001b[31m"}"}\n`);
  const io = fakeIo();
  const env = { ...io.env, HOME: await file("home"), COLUMNS: "120" };
  await main(["analyze", path, ...args], { ...io, env });
  const output = io.out() + io.err();
  expect(output).toContain("owned");
  const place = output.search(unsafe);
  expect(place < 0 ? "" : JSON.stringify(output.slice(Math.max(0, place - 60), place + 20))).toBe("");
});
