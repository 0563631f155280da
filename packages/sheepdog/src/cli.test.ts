import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fakeIo } from "../test/fake-io.ts";
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
      expect(out).toMatch(/analyze[\s\S]*demo/);
    }
  });

  test.each([
    [["anlyze"], "(Did you mean analyze?)"],
    [["analyze", "--jsno"], "(Did you mean --json?)"],
    [["analyze", "--json", "--jsonl", "x"], "cannot be used with"],
    [["analyze", "--explain", "--json", "x"], "cannot be used with"],
    [["analyze", "--fail-on", "bark", "x"], "Allowed choices are hint, warn, block, halt, any"],
    [["analyze", "--set", "mod=guide", "x"], 'did you mean "mode"?'],
    [["demo", "extra"], "too many arguments"],
  ])("%j is a usage error", async (argv, sentence) => {
    const { code, out, err } = await run(...argv);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(sentence);
  });
});
