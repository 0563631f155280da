import { dirname } from "node:path";
import { type Script, startWireServer, type WireRequest, type WireServer } from "@sheepdog/agent/testing";
import { expect, onTestFinished, test } from "vitest";
import { type FakeIo, fakeIo } from "../../../test/fake-io.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { runCommand } from "./run-command.ts";

const file = scratchFolder();

interface Terminal {
  readonly io: FakeIo;
  readonly server: WireServer;
}

/** A terminal that nobody types at, with a model behind it. */
async function terminal(
  script: Script<WireRequest>,
  special: { readonly columns?: number; readonly env?: Record<string, string> } = {},
): Promise<Terminal> {
  const server = await startWireServer(script);
  onTestFinished(() => server.close());
  const env = {
    SHEEPDOG_HOME: await file("home"),
    ANTHROPIC_API_KEY: "k",
    ANTHROPIC_BASE_URL: server.url,
    NO_COLOR: "1",
    TERM: "dumb",
    ...special.env,
  };
  return {
    server,
    io: fakeIo({ isTTY: true, columns: special.columns ?? 80, cwd: dirname(await file("work/a.txt", "Rex\n")), env }),
  };
}

const read = { calls: [{ tool: "read", input: { path: "a.txt" } }] };

test("on a terminal the text streams to stdout, and what happens beside it to stderr", async () => {
  const { io } = await terminal([{ text: "I look.", ...read }, { text: "It is Rex." }]);
  expect(await runCommand(["Who", "is", "it?"], {}, io)).toBe(0);
  expect(io.out()).toBe("I look.\nIt is Rex.\n");
  expect(io.err()).toMatch(
    /^ {2}read a\.txt {2}ok 0\.\d s\n {4}1\s+Rex.*\nses_\w+: 2 turns, \$0\.\d+\. Go on: sheepdog run --continue "…"\n$/,
  );
});

test("where the cursor can be moved, the call that goes on is shown and taken away again", async () => {
  const { io } = await terminal([{ ...read }, { text: "It is Rex." }], { env: { TERM: "xterm" } });
  await runCommand(["Who is it?"], {}, io);
  expect(io.err()).toContain("  read a.txt …\r\u001b[K  read a.txt  ✓");
  const { io: plain } = await terminal([{ ...read }, { text: "It is Rex." }]);
  await runCommand(["Who is it?"], {}, plain);
  expect(plain.err()).not.toContain("\u001b");
});

test("escape sequences in a streamed text reach no terminal, however they are cut into pieces", async () => {
  const { io } = await terminal([{ text: "One \u001b]0;owned\u0007two\u001b[2J three\u202e.", deltaChars: 1 }]);
  await runCommand(["Say it."], { verbose: true }, io);
  expect(io.out()).toBe("One two three.\n");
});

test("a text keeps its lines and its indentation as it streams", async () => {
  const text = "Look:\n\n    if (it) {\n\tbarks();\n    }\nDone.";
  const { io } = await terminal([{ text: `\n\n${text}`, deltaChars: 3, ...read }, { text: "  Well?" }]);
  await runCommand(["Say it."], { quiet: true }, io);
  expect(io.out()).toBe(`${text}\nWell?\n`);
});

test("a quiet run says its answer, and nothing beside it", async () => {
  const { io } = await terminal([{ text: "I look.", ...read }, { text: "It is Rex." }]);
  expect(await runCommand(["Who is it?"], { quiet: true }, io)).toBe(0);
  expect(io.err()).toBe("");
});

test("what the guardian says is on the screen once, and the last line does not say it again", async () => {
  const again = { calls: [{ tool: "read", input: { path: "gone.txt" } }] };
  const { io } = await terminal(
    Array.from({ length: 20 }, () => again),
    { columns: 40 },
  );
  expect(await runCommand(["Read it."], { unattended: true }, io)).toBe(5);
  expect(io.err().match(/sheepdog: block/g)).toHaveLength(1);
  expect(io.err()).toMatch(
    /\nsheepdog: the same calls failed again and again \(tool_failures; \d+ turns, \$0\.\d+\)\. Go on: sheepdog run --resume ses_\w+ --unattended\n$/,
  );
  const beside = io.err().trimEnd().split("\n").slice(0, -1);
  expect(beside.filter((line) => line.length > 40)).toEqual([]);
});

test("what was refused while nobody watched is told at the end, though the agent found an answer", async () => {
  const away = { calls: [{ tool: "bash", input: { command: "rm -rf /somewhere/else" } }] };
  const { io } = await terminal([away, { text: "I could not." }]);
  expect(await runCommand(["Clean up."], { unattended: true }, io)).toBe(0);
  expect(io.err()).toMatch(/\nsheepdog: refused 1 call, since nobody was there to be asked: sheepdog show run_\w+\n/);
});

test("Ctrl-C ends the run, and the last line tells how it goes on", async () => {
  const { io, server } = await terminal([{ text: "I think", fault: { type: "silence" } }]);
  const ended = runCommand(["Think."], {}, io);
  while (io.out() === "") await new Promise((resolve) => setImmediate(resolve));
  io.interrupt();
  expect(await ended).toBe(130);
  expect(io.err()).toMatch(
    /^sheepdog: ending in good order; Ctrl-C again ends now\nsheepdog: it was cancelled \(cancelled; .*\)\. Go on: sheepdog run --resume ses_\w+\n$/,
  );
  expect(await server.requests[0]?.outcome).toBe("left");
});

test("a stderr that nobody reads is no reason to end a run", async () => {
  const { io } = await terminal([{ ...read }, { text: "It is Rex." }]);
  const failing = fakeIo({
    isTTY: true,
    env: { ...io.env } as Record<string, string>,
    cwd: io.cwd,
    failing: { stderr: "EPIPE" },
  });
  expect(await runCommand(["Who is it?"], {}, failing)).toBe(0);
  expect(failing.out()).toBe("It is Rex.\n");
});

test("a run that keeps nothing has nothing to go on with", async () => {
  const { io } = await terminal([{ text: "No.", stop: "refused" }]);
  expect(await runCommand(["Do it."], { set: ["agent.checkpoint.enabled=false"] }, io)).toBe(7);
  expect(io.err()).not.toContain("Go on:");
  expect(await runCommand([], { set: ["agent.checkpoint.enabled=false"], continue: true }, io)).toBe(2);
});
