import { describe, expect, test } from "vitest";
import { createSandbox, isBuilt } from "./sandbox.ts";

describe.skipIf(!isBuilt).concurrent("invalid usage exits with 2 and a sentence", () => {
  test.for<readonly [title: string, args: readonly string[], sentence: string | RegExp, input?: string | Uint8Array]>([
    ["an empty stdin", [], "the prompt is empty: stdin has no text", ""],
    ["only white space", ["-"], "the prompt is empty: stdin has no text", " \n\t\n"],
    ["bytes that are not text", ["-"], "stdin: it is not UTF-8 text", Uint8Array.of(0x48, 0xff, 0xfe)],
    ["more than 10 MB", [], "stdin: it is larger than 10 MB", new Uint8Array(10 * 1024 * 1024 + 1).fill(0x61)],
    ["a missing file", ["--file", "gone.md"], "--file gone.md: there is no such file"],
    ["a folder instead of a file", ["--file", "."], "--file .: it is a directory, not a file"],
    ["a missing folder", ["--cwd", "gone", "Go."], "--cwd gone: there is no such folder"],
    ["an unknown option", ["--bark", "Go."], /there is no option --bark/],
    [
      "an invalid number of turns",
      ["--max-turns", "-1", "Go."],
      "--max-turns -1: it must be a whole number, or 0 for no limit",
    ],
    [
      "an invalid time",
      ["--max-time", "soon", "Go."],
      "--max-time soon: it must be a time of at least one second, as in 90s, 10m or 2h, or 0 for no limit",
    ],
    ["an invalid amount", ["--max-cost", "-1", "Go."], "--max-cost -1: it must be dollars above 0, as in 2.50"],
    ["an invalid mode", ["--mode", "bite", "Go."], /--mode is "bite"; choose guide, advise, observe/],
    [
      "a setting without a value",
      ["--set", "agent.max_turns", "Go."],
      "--set agent.max_turns: it must be key=value, e.g. agent.max_turns=10",
    ],
    ["an unknown key", ["--set", "agent.max_turn=3", "Go."], /max_turns/],
    ["a value of another type", ["--set", "agent.max_turns=many", "Go."], /agent\.max_turns is "many"; it must be/],
    ["a model without its provider", ["--model", "sonnet", "Go."], /--model sonnet: it must be provider:model/],
    [
      "an unknown provider",
      ["--model", "antropic:x", "Go."],
      '--model antropic:x: there is no provider "antropic"; did you mean "anthropic"?',
    ],
    [
      "a provider without its key",
      ["--model", "openai:gpt-4o", "Go."],
      "There is no API key for openai: set OPENAI_API_KEY.",
    ],
    ["two sessions to continue", ["--resume", "ses_1", "--continue"], /--resume and --continue exclude each other/],
    ["a copy of no session", ["--fork", "Go."], "--fork copies a session: name it with --resume, or use --continue"],
    ["a copy without a prompt", ["--fork", "--continue"], "--fork needs a prompt for the copy of the session"],
    [
      "a goal for a resumed run",
      ["--continue", "--goal", "x"],
      "a resumed run keeps its goal: --goal, --expect, --expect-equals, --check and --director need a prompt",
    ],
    ["a director for a resumed run", ["--continue", "--director"], /a resumed run keeps its goal: .* need a prompt/],
    ["an empty check", ["--check", " ", "Go."], "--check: the command must not be empty"],
    ["a goal file that is missing", ["--goal", "gaol.toml", "Go."], "gaol.toml: there is no such file"],
    ["a folder without sessions", ["--continue", "Go."], /--continue: no session has run in .* yet/],
  ])("%s", async ([, args, sentence, input], context) => {
    const { run, server } = await createSandbox(context, []);
    const { code, out, err } = await run(["run", ...args], input === undefined ? {} : { input });
    expect([code, out]).toEqual([2, ""]);
    if (typeof sentence === "string") expect(err).toBe(`sheepdog: ${sentence}\n`);
    else expect(err).toMatch(sentence);
    expect(server.requests).toEqual([]);
  });

  test("a prompt of 5 MB from stdin is not cut: exit 2, the numbers, and what would make it fit", async (context) => {
    const { run, server } = await createSandbox(context, []);
    const input = "The sheep of meadow 7 went over the hill. ".repeat(120_000);
    const { code, out, err } = await run(["run", "--json"], { input });
    expect(code).toBe(2);
    expect(JSON.parse(out)).toMatchObject({ reason: "prompt_too_long", exitCode: 2, state: "error", resume: null });
    expect(err).toMatch(/The prompt has about [\d,]{9} tokens, and the context of 1,000,000 \(max_context_tokens\)/);
    expect(err).toContain("The model reads at most 1,000,000 tokens. Save the text in a file");
    expect(err).not.toContain("--resume"); // a resumed run would end in the same way
    expect((await run(["show", "last"])).out).not.toContain("--resume");
    expect(JSON.parse((await run(["runs", "--json"])).out)).toMatchObject({ runs: [{ resume: null }] });
    expect(server.requests).toEqual([]);
  });

  test("360 kB from stdin fit or end with exit 2 and the flag that makes them fit", async (context) => {
    const { run, server } = await createSandbox(context, [{ text: "Read." }, { text: "Read." }]);
    const input = "The sheep of meadow 7 went over the hill. ".repeat(8_600);
    const small = await run(["run", "--set", "agent.max_context_tokens=32000"], { input });
    expect([small.code, small.out]).toEqual([2, ""]);
    expect(small.err).toMatch(/To resume: sheepdog run --resume ses_\S+ --set agent\.max_context_tokens=\d{6}/);
    expect(server.requests).toEqual([]);
    const [command = "", ...args] = /run --resume ses_\S+ --set \S+=\d+/.exec(small.err)?.[0].split(" ") ?? [];
    expect((await run(["show", "last"])).out.replaceAll(/[\s\\]+/g, " ")).toContain(
      `To resume: sheepdog ${command} ${args.join(" ")}`,
    );
    expect(JSON.parse((await run(["runs", "--json"])).out)).toMatchObject({
      runs: [{ resume: expect.stringContaining(args.join(" ")) }],
    });
    expect(await run([command, ...args])).toMatchObject({ code: 0, out: "Read.\n" }); // what is offered works
    expect(server.requests[0]?.text).toContain(input.trimEnd());
    expect((await run(["run"], { input })).code).toBe(0);
    expect(server.requests[1]?.text).toContain(input.trimEnd());
  });

  test("without a model, commands that need no model are suggested", async (context) => {
    const { run } = await createSandbox(context, []);
    const { code, out, err } = await run(["run", "Go."], {
      env: { ANTHROPIC_API_KEY: "", OLLAMA_HOST: "127.0.0.1:1" },
    });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(
      /^sheepdog: no model is configured: .*\n {2}sheepdog demo .*\n {2}sheepdog init .*\n {2}sheepdog analyze .*\n$/,
    );
  });

  test("with --json the problem is a document, and with --stream-json a last line", async (context) => {
    const { run, file } = await createSandbox(context, []);
    await file("sheepdog.toml", "[agent]\nmax_turns = -3\n");
    const problem = expect.stringMatching(/^sheepdog\.toml:2:13: .*max_turns/);
    const document = {
      schemaVersion: 1,
      state: "error",
      reason: null,
      exitCode: 2,
      problem,
      sessionId: null,
      costUsd: null,
    };
    const { code, out } = await run(["run", "--json", "Go."]);
    expect([code, JSON.parse(out)]).toEqual([2, expect.objectContaining(document)]);
    const { out: lines } = await run(["run", "--stream-json", "Go."]);
    expect(lines.split("\n").map((line) => (line === "" ? "" : JSON.parse(line)))).toEqual([
      expect.objectContaining({ type: "Result", ...document }),
      "",
    ]);
  });
});

describe.skipIf(!isBuilt).concurrent("invalid options", () => {
  test.for<readonly [args: readonly string[], problem: string]>([
    [["--bark", "--json"], "there is no option --bark. Did you mean --fork?"],
    [["--json", "--stream-json", "Go."], "--json and --stream-json exclude each other"],
    [["--json", "--max-turns"], "--max-turns needs a value: --max-turns <n>"],
    [["--stream-json", "--mode", "bite", "Go."], '--mode is "bite"; choose guide, advise, observe'],
  ])("%s: with JSON output, print a document", async ([args, problem], context) => {
    const { run } = await createSandbox(context, []);
    const { code, out, err } = await run(["run", ...args]);
    expect([code, err]).toEqual([2, `sheepdog: ${problem}\n`]);
    expect(JSON.parse(out)).toMatchObject({ schemaVersion: 1, state: "error", reason: null, exitCode: 2, problem });
  });

  test("print no document after --, or for another command", async (context) => {
    const { run } = await createSandbox(context, []);
    expect(await run(["run", "--bark", "--", "--json"])).toMatchObject({ code: 2, out: "" });
    expect(await run(["runs", "--json", "--bark"])).toMatchObject({ code: 2, out: "" });
  });

  test("keep their exit code if the reader is gone", async (context) => {
    const { run } = await createSandbox(context, []);
    const { err } = await run(["run", "--json", "--max-turns", "x", "Go."], {
      shell: '{ "$@"; echo "ended with $?" >&2; } | exec sleep 0',
    });
    expect(err).toBe("sheepdog: --max-turns x: it must be a whole number, or 0 for no limit\nended with 2\n");
  });
});

describe.skipIf(!isBuilt).concurrent("a prompt", () => {
  test("comes from words, a file, stdin, or all of them", async (context) => {
    const { run, file, server } = await createSandbox(context, [], { text: "Done." });
    await file("task.md", "from the file");
    expect((await run(["run", "these", "words", "--file", "task.md", "-"], { input: "from stdin" })).code).toBe(0);
    expect(server.requests[0]?.text).toContain("these words\\n\\nfrom the file\\n\\nfrom stdin");
    expect((await run(["run"], { input: "stdin alone" })).code).toBe(0);
    expect(server.requests[1]?.text).toContain("stdin alone");
  });

  test("has the text of a pipe or a file on stdin added to it", async (context) => {
    const { run, file, server } = await createSandbox(context, [], { text: "Done." });
    await file("notes.md", "from the notes");
    const sources = [
      { shell: 'echo "from a pipe" | "$@"', added: "\\n\\nfrom a pipe\\n" },
      { shell: '"$@" < notes.md', added: "\\n\\nfrom the notes" },
      { shell: '"$@" < /dev/null', added: "" },
      { shell: '"$@" <&-', added: "" },
    ];
    for (const [index, { shell, added }] of sources.entries()) {
      expect(await run(["run", "-q", "Sum it up."], { shell })).toMatchObject({ code: 0, out: "Done.\n", err: "" });
      expect(server.requests[index]?.text).toContain(`"Sum it up.${added}"`);
    }
  });

  test("does not wait for a pipe that stays open without data", async (context) => {
    const { run, server } = await createSandbox(context, [], { text: "Done." });
    const shell = 'mkfifo "open pipe" 2>&-; exec "$@" <> "open pipe"';
    const note =
      'nothing arrived on stdin within a second, so the run starts without it; to wait for it: sheepdog run - "…"';
    expect(await run(["run", "Sum it up."], { shell })).toMatchObject({
      code: 0,
      err: expect.stringContaining(`sheepdog: ${note}\n`),
    });
    expect(await run(["run", "-q", "Sum it up."], { shell })).toMatchObject({ code: 0, err: "" });
    expect(server.requests.map(({ text }) => text.includes('"Sum it up."'))).toEqual([true, true]);
  });

  test("runs in the named folder, and is resumed there", async (context) => {
    const { run, file } = await createSandbox(context, [
      { calls: [{ tool: "read", input: { path: "a.txt" } }] },
      { text: "I see.", stop: "refused" },
      { text: "Done." },
    ]);
    await file("deep down/a.txt", "Rex\n");
    const { code, err } = await run(["run", "--cwd", "deep down", "Go."]);
    expect(code).toBe(7);
    expect(err).toMatch(/ To resume: sheepdog run --resume ses_\w+\n$/);
    const { code: again, out } = await run(["run", "--continue", "--cwd", "deep down"]);
    expect([again, out]).toEqual([0, "Done.\n"]);
  });
});
