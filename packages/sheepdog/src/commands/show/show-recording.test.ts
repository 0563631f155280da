import { describe, expect, test } from "vitest";
import { fakeIo } from "../../../test/fake-io.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { main } from "../../cli.ts";

const file = scratchFolder();
const at = Date.UTC(2026, 10, 3, 9);

/** What `show` prints about the run with these steps, after a first look back has read it. */
async function shown(name: string, run: object, ...flags: readonly string[]): Promise<string> {
  const path = await file(`${name}.jsonl`, `${JSON.stringify({ id: name, source: "test", ...run })}\n`);
  const env = { SHEEPDOG_HOME: await file(`${name}-home`), NO_COLOR: "1" };
  const analysis = fakeIo({ env });
  await main(["analyze", path, "--json"], analysis);
  const id = /rec_[0-9a-f]+/.exec(analysis.out())?.[0] ?? "";
  const io = fakeIo({ env, columns: 80 });
  expect([await main(["show", id, ...flags], io), io.err()]).toEqual([0, ""]);
  return io.out();
}

test("a call has the time between its start and its result, or none if the recording does not have both", async () => {
  const call = (path: string, times: object) => ({
    name: "read",
    args: { path },
    result: path,
    isError: false,
    ...times,
  });
  const calls = [
    call("a.ts", { at, endedAt: at + 2_300 }),
    call("b.ts", { at }),
    call("c.ts", { at, endedAt: at - 5_000 }),
  ];
  const text = await shown("times", { task: "Read.", steps: [{ text: "", at, calls }] });
  expect(text.match(/read .*/g)).toEqual(["read a.ts  ✓ 2.3 s", "read b.ts  ✓", "read c.ts  ✓"]);
});

describe("the messages of a person", () => {
  const look = (path: string) => ({ name: "read", args: { path }, result: path, isError: false });
  const run = {
    task: "Fix the cart.",
    steps: [
      { text: "I look.", at, user: true, prompt: "/model opus\n\nFix the cart.", calls: [look("a.ts")] },
      { text: "Done.", at: at + 1_000, calls: [] },
      { text: "Sorry.", at: at + 2_000, user: true, prompt: "No, the *other* one.\nPlease.", calls: [look("b.ts")] },
      { text: "Done.", at: at + 3_000, user: true, prompt: "Fix the cart.", calls: [] },
    ],
  };

  test("stand before the turns that answer them", async () => {
    const text = await shown("messages", run);
    expect(text.slice(text.indexOf("❯")).split("\n")).toEqual([
      "❯ Fix the cart.",
      "",
      "❯ /model opus",
      "",
      "turn 1",
      "I look.",
      "  read a.ts  ✓",
      "    a.ts",
      "",
      "turn 2",
      "Done.",
      "",
      "❯ No, the *other* one.",
      "  Please.",
      "",
      "turn 3",
      "Sorry.",
      "  read b.ts  ✓",
      "    b.ts",
      "",
      "❯ Fix the cart.",
      "",
      "turn 4",
      "Done.",
      "",
      "The recording ends here (4 turns, price unknown).",
      "",
    ]);
  });

  test("are in --json", async () => {
    const { items } = JSON.parse(await shown("json", run, "--json"));
    expect(items.map(({ type, text, tool }: Record<string, unknown>) => [type, text ?? tool])).toEqual([
      ["prompt", "Fix the cart."],
      ["prompt", "/model opus"],
      ["text", "I look."],
      ["call", "read"],
      ["text", "Done."],
      ["prompt", "No, the *other* one.\nPlease."],
      ["text", "Sorry."],
      ["call", "read"],
      ["prompt", "Fix the cart."],
      ["text", "Done."],
    ]);
  });

  test("hide their secrets", async () => {
    const prompt = "Use API_KEY=sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789";
    const text = await shown("secrets", { task: "Go.", steps: [{ text: "", user: true, prompt, calls: [look("a")] }] });
    expect(text).toContain("❯ Use API_KEY=");
    expect(text).not.toContain("abcdefghijklmnop");
  });
});
