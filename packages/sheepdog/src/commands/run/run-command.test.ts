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

/** A fake terminal without input, and a model server. */
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

/** The first line: where the requests go. */
const address = "^sheepdog: The model is anthropic:\\S+ at http://127\\.0\\.0\\.1:\\d+/v1\\n";

const read = { calls: [{ tool: "read", input: { path: "a.txt" } }] };

test("on a terminal, the text streams to stdout and the progress goes to stderr", async () => {
  const { io } = await terminal([{ text: "I look.", ...read }, { text: "It is Rex." }]);
  expect(await runCommand(["Who", "is", "it?"], {}, io)).toBe(0);
  expect(io.out()).toBe("I look.\nIt is Rex.\n");
  expect(io.err()).toMatch(
    new RegExp(
      `${address} {2}read a\\.txt {2}ok 0\\.\\d s\\n {4}1\\s+Rex.*\\n` +
        'ses_\\w+: 2 turns, \\$0\\.\\d+\\. To continue: sheepdog run --continue "…"\\n$',
    ),
  );
});

test("the system prompt has the goal, also in a resumed run", async () => {
  const { io, server } = await terminal([read, { text: "It is 42." }]);
  const options = { expect: ["42"], goal: "The number is known.", json: true } as const;
  expect(await runCommand(["Look."], { ...options, maxTurns: "1" }, io)).toBe(6);
  expect(await runCommand([], { continue: true, json: true }, io)).toBe(0);
  const systems = server.requests.map(({ body }) => JSON.stringify(body["system"]));
  expect(systems).toHaveLength(2);
  for (const system of systems) expect(system).toMatch(/Goal: The number is known\..*Done when:.*the answer contains/);
});

/** Escape characters as a visible sign. */
const visible = (text: string) => text.replaceAll("\u001b", "␛");
const slow = { calls: [{ tool: "bash", input: { command: "echo working; sleep 0.6" } }] };

test("if the terminal can erase, a running command is shown with its output, and then erased", async () => {
  const { io } = await terminal([slow, { text: "It is Rex." }], { env: { TERM: "xterm" } });
  await runCommand(["Who is it?"], {}, io);
  expect(visible(io.err())).toMatch(/ {4}working␛\[K\n\S bash echo working; sleep 0\.6 {2}0 s · [\d.]+ k? ?tokens · /);
  expect(visible(io.err())).toMatch(/\r␛\[1A␛\[J {2}bash echo working; sleep 0\.6 {2}✓/);
  const { io: plain } = await terminal([slow, { text: "It is Rex." }]);
  await runCommand(["Who is it?"], {}, plain);
  expect(visible(plain.err())).not.toMatch(/␛|⠋|waiting for the model/);
});

test("equal calls in a row are one line with their number", async () => {
  const script = [read, read, read, { text: "It is Rex." }];
  const { io } = await terminal(script, { env: { TERM: "xterm" } });
  await runCommand(["Who is it?"], {}, io);
  expect(visible(io.err())).toMatch(/␛\[2A␛\[J {2}read a\.txt {2}✓ 0\.\d s {2}×3\n/);
  const { io: plain } = await terminal(script);
  await runCommand(["Who is it?"], {}, plain);
  expect(plain.err()).toMatch(/\n {2}read a\.txt {2}ok 0\.\d s\n {4}1\s+Rex.*\n {2}x3 in a row\n/);
});

test("in a pipe, each turn with calls is a line on stderr, and --quiet silences it", async () => {
  const script = [{ text: "I look.", ...read }, { text: "It is Rex." }];
  const { io } = await terminal(script);
  const pipe = fakeIo({ env: { ...io.env } as Record<string, string>, cwd: io.cwd });
  expect(await runCommand(["Who is it?"], {}, pipe)).toBe(0);
  expect([pipe.out(), pipe.err()]).toEqual([
    "It is Rex.\n",
    expect.stringMatching(new RegExp(`${address}turn 1: read a\\.txt ok 0\\.\\d s\\n$`)),
  ]);
  for (const options of [{ quiet: true as const }, { streamJson: true as const }]) {
    const { io: again } = await terminal(script);
    const silent = fakeIo({ env: { ...again.env } as Record<string, string>, cwd: again.cwd });
    await runCommand(["Who is it?"], options, silent);
    expect(silent.err()).toBe("");
  }
});

test("on a terminal, a text is printed as it arrives, not only when it is complete", async () => {
  const { io } = await terminal([
    { text: "The dog herds the sheep", fault: { type: "eof", after: 1 } },
    { text: "Done." },
  ]);
  expect(await runCommand(["Say it."], {}, io)).toBe(0);
  expect(io.out()).toBe("The dog herd\nDone.\n"); // the first reply broke off and is not part of the answer
});

test("escape sequences in a streamed text are removed, however they are split", async () => {
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

test("a streamed text breaks between words at the right edge", async () => {
  const { io } = await terminal([{ text: "I give you a slow answer, word for word.", deltaChars: 2 }], { columns: 20 });
  await runCommand(["Say it."], { quiet: true }, io);
  expect(io.out()).toBe("I give you a slow\nanswer, word for\nword.\n");
});

test("a quiet run prints its answer and nothing else", async () => {
  const { io } = await terminal([{ text: "I look.", ...read }, { text: "It is Rex." }]);
  expect(await runCommand(["Who is it?"], { quiet: true }, io)).toBe(0);
  expect(io.err()).toBe("");
});

test("a message of the guardian is printed once, and the last line does not repeat it", async () => {
  const again = { calls: [{ tool: "read", input: { path: "gone.txt" } }] };
  const { io } = await terminal(
    Array.from({ length: 20 }, () => again),
    { columns: 40 },
  );
  expect(await runCommand(["Read it."], { unattended: true }, io)).toBe(5);
  expect(io.err().match(/sheepdog: block/g)).toHaveLength(1);
  expect(io.err()).toMatch(
    new RegExp(
      "\\nsheepdog: the same calls kept failing\\n\\(tool_failures; \\d+ turns, \\$0\\.\\d+\\)\\.\\n" +
        "To resume:\\n {2}sheepdog run --resume \\\\\\n {4}ses_\\w+\\n$",
    ),
  );
  expect(
    io
      .err()
      .split("\n")
      .filter((line) => line.length > 40),
  ).toEqual([]);
});

test("the end reports calls that were refused in an unattended run, even if the agent answered", async () => {
  const outside = { calls: [{ tool: "bash", input: { command: "rm -rf /somewhere/else" } }] };
  const { io } = await terminal([outside, { text: "I could not." }]);
  expect(await runCommand(["Clean up."], { unattended: true }, io)).toBe(0);
  expect(io.err()).toMatch(/\nsheepdog: refused 1 call that needed approval\.\nDetails: sheepdog show run_\w+\n/);
});

test("the document of --json has the number of refused calls and their tools", async () => {
  const outside = { tool: "bash", input: { command: "rm -rf /somewhere/else" } };
  const { io } = await terminal([{ calls: [outside] }, { calls: [outside] }, { text: "I could not." }]);
  expect(await runCommand(["Clean up."], { json: true }, io)).toBe(0);
  expect(JSON.parse(io.out())).toMatchObject({
    state: "completed",
    interventions: [],
    refusedCalls: { count: 2, tools: ["bash"] },
  });
  const { io: other } = await terminal([{ text: "Done." }]);
  await runCommand(["Clean up."], { json: true }, other);
  expect(JSON.parse(other.out())).toMatchObject({ refusedCalls: { count: 0, tools: [] } });
});

test("Ctrl-C ends the run, and the last line says how to continue", async () => {
  const { io, server } = await terminal([{ text: "I think", fault: { type: "silence" } }]);
  const ended = runCommand(["Think."], {}, io);
  while (io.out() === "") await new Promise((resolve) => setImmediate(resolve));
  io.interrupt();
  expect(await ended).toBe(130);
  expect(io.err()).toMatch(
    new RegExp(
      "\\nsheepdog: stopping the run; press Ctrl-C again to exit now\\n" +
        "sheepdog: the run was cancelled \\(\\d turns?, .*\\)\\.\\nTo resume: sheepdog run --resume ses_\\w+\\n$",
    ),
  );
  expect(await server.requests[0]?.outcome).toBe("left");
});

test("a money limit that cannot be checked ends the run, and the last line says why and what to do", async () => {
  for (const options of [{}, { quiet: true as const }]) {
    const { io, server } = await terminal([{ text: "Done." }], { columns: 400 });
    expect(await runCommand(["Do it."], { model: "anthropic:foo", maxCost: "1", ...options }, io)).toBe(4);
    expect(io.err()).toMatch(
      new RegExp(
        "(^|\\n)sheepdog: the price of the model is unknown, so the money limit cannot be checked " +
          "\\(run_budget; 0 turns, \\$0\\)\\. " +
          "To keep the limit, set the price in \\[budget\\.pricing_overrides\\]\\. " +
          "To resume without it: sheepdog run --resume ses_\\w+ --set budget\\.unpriced=count-tokens\\n$",
      ),
    );
    expect(server.requests).toEqual([]);
  }
});

test("a run continues with the model, limits and settings of the last one, and says what a flag replaces", async () => {
  const keys = { OPENAI_API_KEY: "k" };
  const { io, server } = await terminal([read, { text: "One.", stop: "refused" }, { text: "Two." }], { env: keys });
  const env = { ...io.env, OPENAI_BASE_URL: `${server.url}/v1` };
  const first = fakeIo({ ...{ cwd: io.cwd, env: env as Record<string, string> } });
  const started = { model: "openai:gpt-5", maxCost: "0.20", maxTurns: "9", unattended: true, json: true } as const;
  expect(await runCommand(["Look."], { ...started, mode: "advise", set: ["agent.min_tail=4"] }, first)).toBe(7);
  expect(first.err()).toMatch(/To resume: sheepdog run --resume ses_\w+\n$/);
  const next = fakeIo({ cwd: io.cwd, env: env as Record<string, string> });
  const day = "budget.per_day_limit_cents=700";
  expect(await runCommand([], { continue: true, streamJson: true, maxCost: "0.50", set: [day] }, next)).toBe(0);
  expect(next.err()).toContain(`sheepdog: --set ${day} applies from now on; the run was started with none.\n`);
  expect(next.err()).toContain("sheepdog: --max-cost 0.50 replaces 0.20 of the run.\n");
  expect(next.err()).toContain("sheepdog: Continues as the run was started: --model openai:gpt-5 --max-turns 9");
  expect(server.requests.map(({ model }) => model)).toEqual(["gpt-5", "gpt-5", "gpt-5"]);
  const start = JSON.parse(next.out().split("\n")[0] ?? "");
  expect(start).toMatchObject({ type: "RunStarted", provider: "openai.responses", mode: "advise" });
  expect(start.limits).toMatchObject({ "run-cost": { stop: 500_000_000 }, turns: { stop: 9 } });
  expect(start.spec.settings).toMatchObject({ "agent.min_tail": 4, "model.model_id": "gpt-5" });
});

test("a run from a pipe that continues at a terminal says how to be asked again", async () => {
  const { io } = await terminal([{ text: "One." }, { text: "Two." }, { text: "Three." }], { columns: 400 });
  const env = io.env as Record<string, string>;
  expect(await runCommand(["Look."], {}, fakeIo({ cwd: io.cwd, env }))).toBe(0);
  const note = "sheepdog: You are not asked, as in the run before. To be asked: --set agent.attended=true\n";
  const typed = fakeIo({ isTTY: true, columns: 400, cwd: io.cwd, env });
  expect(await runCommand(["Again."], { continue: true }, typed)).toBe(0);
  expect(typed.err()).toContain(note);
  const piped = fakeIo({ cwd: io.cwd, env });
  expect(await runCommand(["Again."], { continue: true }, piped)).toBe(0);
  expect(piped.err()).not.toContain(note);
});

test("a run whose provider has no key any more is not continued with another one", async () => {
  const { io, server } = await terminal([{ text: "One." }], { env: { OPENAI_API_KEY: "k" } });
  const env = { ...io.env, OPENAI_BASE_URL: `${server.url}/v1` } as Record<string, string>;
  expect(await runCommand(["Look."], { model: "openai:gpt-5" }, fakeIo({ cwd: io.cwd, env }))).toBe(0);
  const { OPENAI_API_KEY: _, ...without } = env;
  const next = fakeIo({ cwd: io.cwd, env: without });
  expect(await runCommand(["And now?"], { continue: true }, next)).toBe(2);
  expect(next.err()).toMatch(
    /^sheepdog: There is no API key for openai: .*\nsheepdog: The session .* --model provider/,
  );
  expect(server.requests).toHaveLength(1);
});

test("a session continues in its own folder, wherever the command is typed", async () => {
  const { io, server } = await terminal([{ text: "One." }, { text: "Two." }]);
  const env = io.env as Record<string, string>;
  const first = fakeIo({ cwd: io.cwd, env });
  await runCommand(["Look."], { json: true }, first);
  const { sessionId } = JSON.parse(first.out()) as { readonly sessionId: string };
  const elsewhere = dirname(await file("elsewhere/b.txt", ""));
  const next = fakeIo({ cwd: elsewhere, env });
  expect(await runCommand(["And now?"], { resume: sessionId }, next)).toBe(0);
  expect(server.requests[1]?.text).toContain(io.cwd);
  expect(next.err()).not.toContain("now it runs in");
});

test("a stderr that cannot be written does not end the run", async () => {
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

test("a run that is not saved cannot be resumed", async () => {
  const { io } = await terminal([{ text: "No.", stop: "refused" }]);
  expect(await runCommand(["Do it."], { set: ["agent.checkpoint.enabled=false"] }, io)).toBe(7);
  expect(io.err()).not.toContain("To resume:");
  expect(await runCommand([], { set: ["agent.checkpoint.enabled=false"], continue: true }, io)).toBe(2);
});
