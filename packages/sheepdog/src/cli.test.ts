import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fakeIo } from "../test/fake-io.ts";
import { stuckRun } from "../test/recordings.ts";
import { scratchFolder } from "../test/scratch-folder.ts";
import { main } from "./cli.ts";
import { packageRoot } from "./package-root.ts";

async function run(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const io = fakeIo();
  const code = await main(argv, io);
  return { code, out: io.out(), err: io.err() };
}

describe("the command line", () => {
  test("prints its version and its help on stdout", async () => {
    const { version } = JSON.parse(readFileSync(new URL("package.json", packageRoot), "utf8"));
    expect(await run("--version")).toEqual({ code: 0, out: `${version}\n`, err: "" });
    for (const argv of [["--help"], []]) {
      const { code, out, err } = await run(...argv);
      expect([code, err]).toEqual([0, ""]);
      expect(out).toMatch(/demo[\s\S]*analyze/);
    }
  });

  test.each([
    [["anlyze"], "Did you mean analyze?"],
    [["analyze", "--jsno"], "Did you mean --json?"],
    [["analyze", "--json", "--jsonl", "x"], "exclude each other"],
    [["analyze", "--explain", "--json", "x"], "exclude each other"],
    [
      ["analyze", "--fail-on", "bark", "x"],
      "--fail-on bark: it must be hint, warn, block, halt, any, or a share such as",
    ],
    [["analyze", "--set", "mod=guide", "x"], 'did you mean "mode"?'],
    [["analyze", "--set", "limits.turns.stop=soon", "x"], "it must be a whole number above 0"],
    [["analyze", "--set", "limits.run-cost.stop=25c", "x"], 'it must be dollars such as "$1.50"'],
    [["analyze", "--set", "detectors.doom-loop.hint=9", "x"], "it must be hint ≤ warn ≤ block ≤ halt"],
    [["demo", "extra"], "too many arguments"],
  ])("%j is a usage error", async (argv, sentence) => {
    const { code, out, err } = await run(...argv);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(sentence);
  });
});

test.each([undefined, "sheepdog"])(
  "an unexpected error is printed without secrets and control sequences, DEBUG=%s",
  async (debug) => {
    const env = { ...(debug === undefined ? {} : { DEBUG: debug }) };
    const broken = {
      get SHEEPDOG_HOME(): string {
        throw new Error("no \u001b[2Jgood: sk-ant-api03-0123456789abcdef0123456789");
      },
    };
    const io = fakeIo({ env: Object.defineProperties(env, Object.getOwnPropertyDescriptors(broken)) });
    expect(await main(["config", "get", "agent.max_turns"], io)).toBe(1);
    expect(io.err()).toMatch(/^sheepdog: no good: …\n/);
    for (const bad of ["0123456789", "\u001b"]) expect(io.err()).not.toContain(bad);
    expect(io.err().includes("cli.test.ts")).toBe(debug !== undefined);
  },
);

describe("output that cannot be written", () => {
  const file = scratchFolder();
  const commands = [
    ["demo", "--fast"],
    ["analyze"],
    ["analyze", "--json"],
    ["analyze", "--jsonl"],
    ["analyze", "--explain"],
    ["--help"],
    [],
  ];

  test.each(commands.map((argv) => [argv]))("ends %j with 1 and one sentence", async (argv) => {
    const io = fakeIo({
      stdin: stuckRun("a"),
      failing: { stdout: "ENOSPC" },
      env: { SHEEPDOG_HOME: await file("home") },
    });
    expect([await main(argv, io), io.err()]).toEqual([1, "sheepdog: the output cannot be written (ENOSPC: write)\n"]);
  });

  test.each(commands.map((argv) => [argv]))("ends %j quietly if the reader closed the pipe", async (argv) => {
    const io = fakeIo({
      stdin: stuckRun("a"),
      failing: { stdout: "EPIPE" },
      env: { SHEEPDOG_HOME: await file("home") },
    });
    expect([await main(argv, io), io.err()]).toEqual([0, ""]);
  });

  test("ends with 1 if stderr fails too", async () => {
    expect(
      await main(["analyze"], fakeIo({ stdin: stuckRun("a"), failing: { stdout: "ENOSPC", stderr: "ENOSPC" } })),
    ).toBe(1);
  });

  test.each([
    ["hint", 5],
    ["halt", 0],
  ])("does not change the exit code of --fail-on %s: %i", async (level, code) => {
    for (const format of [[], ["--json"], ["--jsonl"], ["--explain"]]) {
      const io = fakeIo({ stdin: stuckRun("a"), failing: { stdout: "EPIPE" } });
      expect([await main(["analyze", "--fail-on", level, ...format], io), io.err()]).toEqual([code, ""]);
    }
  });
});
