import { execFile, spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Script, WireRequest } from "@sheepdog/agent/testing";
import { describe, expect, type TestContext, test, vi } from "vitest";
import { bin, createSandbox, isBuilt } from "./sandbox.ts";

const hasTmux = spawnSync("tmux", ["-V"]).status === 0;
if (!hasTmux)
  console.warn("tmux is missing: the tests of run in a terminal are skipped. Install it with: apt-get install -y tmux");

interface RunTerminal {
  press(...keys: readonly string[]): Promise<void>;
  /** Waits until the window shows a pattern `times` times. Resolves with the window. */
  shows(what: RegExp, times?: number): Promise<string>;
  /** All bytes that the terminal received. */
  bytes(): Promise<string>;
}

/** Runs a prompt in a real terminal of 40 columns. The exit code is printed below the output. */
async function runInTerminal(
  context: TestContext,
  script: Script<WireRequest>,
  files: Readonly<Record<string, string>> = {},
  prompt = "'Go ahead.'",
): Promise<RunTerminal> {
  const { workspace, env, file } = await createSandbox(context, script);
  for (const [name, content] of Object.entries(files)) await file(name, content);
  const folder = dirname(workspace);
  const tmux = async (...args: readonly string[]) =>
    (
      await promisify(execFile)("tmux", ["-u", "-L", "run", "-f", "/dev/null", ...args], {
        env: { ...env, TMUX_TMPDIR: folder, TERM: "xterm-256color" },
      })
    ).stdout;
  const [command, copyBytes] = [
    `'${process.execPath}' '${bin}' run ${prompt}; echo "ended with $?"; exec sleep 60`,
    `cat > ${join(folder, "bytes")}`,
  ];
  await tmux("new-session", "-d", "-x", "40", "-y", "50", "-c", workspace, command, ";", "pipe-pane", "-o", copyBytes);
  context.onTestFinished(async () => void (await tmux("kill-server")));
  return {
    press: async (...keys) => void (await tmux("send-keys", ...keys)),
    shows: (what, times = 1) =>
      vi.waitFor(
        async () => {
          const screen = await tmux("capture-pane", "-p", "-J");
          expect(screen.match(new RegExp(what, "g"))?.length ?? 0, screen).toBe(times);
          return screen.trimEnd();
        },
        { timeout: 20_000, interval: 50 },
      ),
    bytes: () => readFile(join(folder, "bytes"), "latin1"),
  };
}

/** The text of a window without its line breaks and the guardian's bars. */
function inOneLine(screen: string): string {
  return screen.replaceAll(/[\s┃]+/g, " ");
}

describe.skipIf(!isBuilt || !hasTmux).concurrent("in a terminal", () => {
  test("the user is asked, and can refuse, allow and answer a question", async (context) => {
    const outside = { calls: [{ tool: "bash", input: { command: "touch -c /tmp/sheepdog-nowhere/x" } }] };
    const question = { calls: [{ tool: "ask_user", input: { question: "Which colour?", choices: ["red", "blue"] } }] };
    const { press, shows } = await runInTerminal(context, [
      { text: "I touch it.", ...outside },
      outside,
      question,
      { text: "All done." },
    ]);
    await shows(/then\s+Enter:/);
    await press("n not there", "Enter");
    await shows(/then\s+Enter:/, 2);
    await press("y", "Enter");
    await shows(/for none:/);
    await press("2", "Enter");
    const screen = await shows(/ended with 0/);
    expect(screen).toMatch(
      /\nI touch it\.\n {2}May the agent run this\? bash\n {4}touch -c \/tmp\/sheepdog-nowhere\/x\n/,
    );
    expect(screen).toContain("Refused: the user said no: not there");
    const lesson = "Learned: Ask the user before you use bash: touch -c.";
    expect(inOneLine(screen)).toContain(`${lesson} To take it back: sheepdog memory safety remove last`);
    expect(screen).toContain("The user answered: blue");
    expect(screen).toMatch(
      /All done\.\nses_\w+: 4 turns, \$0\.\d+\.\nTo continue: sheepdog run --continue "…"\nended with 0$/,
    );
  });

  test("Ctrl-C at an approval cancels the run, and nothing is executed", async (context) => {
    const outside = { calls: [{ tool: "bash", input: { command: "touch /tmp/sheepdog-nowhere/x" } }] };
    const { press, shows } = await runInTerminal(context, [outside, { text: "I continue." }]);
    await shows(/then\s+Enter:/);
    await press("C-c");
    const screen = await shows(/ended with 130/);
    expect(screen).toContain("\n^C\nsheepdog: stopping the run; press Ctrl-C\nagain to exit now\n");
    expect(inOneLine(screen)).toMatch(/the run was cancelled.* sheepdog run --resume (?:\\ )?ses_/);
    expect(screen).not.toContain("I continue.");
  });

  test("a prompt can be typed, and Ctrl-D declines one question only", async (context) => {
    const outside = { calls: [{ tool: "bash", input: { command: "touch /tmp/sheepdog-nowhere/x" } }] };
    const { press, shows } = await runInTerminal(
      context,
      [{ text: "I touch it.", ...outside }, outside, { text: "All done." }],
      {},
      "-",
    );
    await press("Touch it.", "Enter", "C-d");
    await shows(/then\s+Enter:/);
    await press("C-d");
    await shows(/then\s+Enter:/, 2);
    await press("n not there", "Enter");
    expect(await shows(/ended with 0/)).toContain("Refused: the user said no: not there");
  });

  test("before a repeated call is refused, the user is asked; keys typed earlier do not answer", async (context) => {
    const failing = { calls: [{ tool: "bash", input: { command: "echo boom >&2; exit 1" } }] };
    const { press, shows } = await runInTerminal(context, [
      failing,
      failing,
      failing,
      failing,
      async () => {
        await press("s", "Enter"); // typed before the question
        return failing;
      },
      failing,
      ({ text }) => ({ text: text.includes("It is in src.") ? "I look in src." : "Nobody told me." }),
    ]);
    await shows(/something;/);
    await press("t It is in src.", "Enter");
    const screen = inOneLine(await shows(/ended with 0/));
    expect(screen).toContain("sheepdog: asks you (failing-call, 5 times)");
    expect(screen).toContain("5 turns, $0.0");
    expect(screen).toContain("Sent to the agent: It is in src.");
    expect(screen).not.toMatch(/[Mm]uted|recovered|lets this repetition/);
    expect(screen).not.toContain("refused");
    expect(screen).toContain("I look in src.");
  });

  test("a loop can be stopped at the question, and the run can be resumed", async (context) => {
    const failing = { calls: [{ tool: "bash", input: { command: "echo boom >&2; exit 1" } }] };
    const { press, shows } = await runInTerminal(context, [failing, failing, failing, failing, failing]);
    await shows(/something;/);
    await press("s", "Enter");
    const screen = await shows(/ended with 5/);
    expect(inOneLine(screen)).toMatch(/you stopped it \(tool_failures.*sheepdog run --resume (?:\\ )?ses_/);
  });

  test("a run that has used its turns asks whether it continues", async (context) => {
    const look = (page: number) => ({ calls: [{ tool: "bash", input: { command: `echo page ${page}` } }] });
    const script = [look(1), look(2), look(3), look(4), { text: "Five turns." }];
    const { press, shows } = await runInTerminal(context, script, {}, "--max-turns 2 'Go ahead.'");
    await shows(/ontinue up to 4 turns/);
    await press("c", "Enter");
    await shows(/ontinue up to 6 turns/);
    await press("c", "Enter");
    expect(await shows(/ended with 0/)).toContain("Five turns.");
  });

  test("with --json nothing is asked, also if the configuration says that a user watches", async (context) => {
    const failing = { calls: [{ tool: "bash", input: { command: "echo boom >&2; exit 1" } }] };
    const script = Array.from({ length: 10 }, () => failing);
    const { shows } = await runInTerminal(context, script, {}, "--json --set agent.attended=true 'Go.' > out.json");
    expect(await shows(/ended with 5/)).not.toContain("s = stop");
  });

  test("a warning about money names the command that raises the limit, and nothing is asked", async (context) => {
    const look = (page: number) => ({ calls: [{ tool: "bash", input: { command: `echo page ${page}` } }] });
    const script = Array.from({ length: 40 }, (_, page) => look(page));
    const { shows } = await runInTerminal(context, script, {}, "--max-cost 0.15 --max-turns 60 'Go.'");
    const screen = inOneLine(await shows(/ended with 4/));
    expect(screen).toMatch(/To raise it while the run continues: sheepdog budget raise (?:\\ )?run_\w+ 0\.3 /);
    expect(screen).not.toContain("s = stop");
  });

  test("untrusted text contains no control sequences", async (context) => {
    const hostile = "\u001b]0;owned\u0007\u001b[2J\u001b]52;c;b3duZWQ=\u001b\\\u009b7m";
    const { shows, bytes } = await runInTerminal(
      context,
      [
        {
          text: `Look: ${hostile}`,
          deltaChars: 1,
          calls: [
            { tool: "bash", input: { command: "cat a.txt; ls" } },
            { tool: "read", input: { path: "a.txt" } },
          ],
        },
        { text: `Done.${hostile}` },
      ],
      { "a.txt": `${hostile}\n`.repeat(3), [`name${hostile.replaceAll("/", "")}`]: "" },
    );
    await shows(/ended with 0/);
    const received = await bytes();
    for (const part of ["owned", "[2J", "]52;", "b3duZWQ", "\u009b", "\u0007"]) expect(received).not.toContain(part);
  });
});
