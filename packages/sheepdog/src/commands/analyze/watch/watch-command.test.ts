import { appendFile } from "node:fs/promises";
import { expect, test, vi } from "vitest";
import { fakeIo } from "../../../../test/fake-io.ts";
import { cleanRun, stuckRun } from "../../../../test/recordings.ts";
import { scratchFolder } from "../../../../test/scratch-folder.ts";
import { main } from "../../../cli.ts";

const file = scratchFolder();

test("analyze watch says what the guardian would do in recordings that grow", async () => {
  const path = await file("runs.jsonl", cleanRun("a"));
  const io = fakeIo({ env: { SHEEPDOG_HOME: await file("home") } });
  const ended = main(["analyze", "watch", path], io);
  await vi.waitFor(() => expect(io.err()).toContain("watching 1 recording of the last half hour"), { timeout: 20_000 });
  await appendFile(path, stuckRun("b", 8));
  await vi.waitFor(() => expect(io.out()).toContain("sheepdog show rec_"), { timeout: 20_000 });
  io.interrupt();
  expect(await ended).toBe(0);
  expect(
    io
      .out()
      .replaceAll(/rec_\w+/g, "rec_1")
      .replace(/^\S+/, "06:40"),
  ).toBe(
    [
      "06:40 test: make failed 8 times the same way. The guardian would end the run.",
      "  $0.80 so far, $0.70 of it in circles. sheepdog show rec_1",
      "",
    ].join("\n"),
  );
  expect(io.err()).toContain("1 run went in circles");
});

test("analyze watch with --json prints one object a line", async () => {
  const path = await file("json.jsonl", cleanRun("a"));
  const io = fakeIo({ env: { SHEEPDOG_HOME: await file("home2") } });
  const ended = main(["analyze", "watch", "--json", path], io);
  await vi.waitFor(() => expect(io.err()).toContain("watching"), { timeout: 20_000 });
  await appendFile(path, stuckRun("b", 3));
  await vi.waitFor(() => expect(io.out()).toContain("\n"), { timeout: 20_000 });
  io.interrupt();
  await ended;
  expect(JSON.parse(io.out())).toMatchObject({ schemaVersion: 1, source: "test", level: "hint", costUsd: 0.3 });
});

test("stdin cannot be watched", async () => {
  const io = fakeIo({ env: { SHEEPDOG_HOME: await file("home3") } });
  expect(await main(["analyze", "watch", "-"], io)).toBe(2);
  expect(io.err()).toContain("stdin cannot be watched; name files or folders");
});
