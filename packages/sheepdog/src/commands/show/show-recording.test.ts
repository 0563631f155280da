import { expect, test } from "vitest";
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
  const call = (path: string, times: object) => ({ name: "read", args: { path }, result: path, ...times });
  const calls = [
    call("a.ts", { at, endedAt: at + 2_300 }),
    call("b.ts", { at }),
    call("c.ts", { at, endedAt: at - 5_000 }),
  ];
  const text = await shown("times", { task: "Read.", steps: [{ text: "", at, calls }] });
  expect(text.match(/read .*/g)).toEqual(["read a.ts  ✓ 2.3 s", "read b.ts  ✓", "read c.ts  ✓"]);
});
