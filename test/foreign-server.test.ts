import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { bin, type Dialect, isBuilt, type Reply, startForeignServer } from "./foreign-server.ts";

const hasTmux = spawnSync("tmux", ["-V"]).status === 0;
if (!hasTmux)
  console.warn("tmux is missing: one test with a foreign server is skipped. Install it with: apt-get install -y tmux");

const everyDialect: readonly Dialect[] = ["anthropic", "openai", "openai-compatible"];

function call(name: string, input: Record<string, unknown>, content = "Let me see."): Reply {
  return { reply: { content, toolCalls: [{ name, arguments: input }] } };
}

function answer(content: string): Reply {
  return { reply: { content } };
}

function failure(status: number, message: string, more: object = {}): Reply {
  return { reply: { error: { message, type: "api_error", ...more }, status } };
}

const rateLimit: Reply = {
  reply: { error: { message: "Slow down.", type: "rate_limit_error" }, status: 429, retryAfter: 1 },
};

/** What the providers answer if a request does not fit into the model's context. */
const tooLong: Readonly<Record<Dialect, Reply>> = {
  anthropic: failure(400, "prompt is too long: 215000 tokens > 200000 maximum", { type: "invalid_request_error" }),
  openai: failure(400, "Your input exceeds the context window of this model.", { code: "context_length_exceeded" }),
  "openai-compatible": failure(400, "This model's maximum context length is 8192 tokens.", {
    code: "context_length_exceeded",
  }),
};

describe.skipIf(!isBuilt).concurrent("with a server of the dialect", () => {
  describe.for(everyDialect)("%s", (dialect) => {
    test("the agent reads and edits a file, and only the answer is on stdout", async (context) => {
      const { run, workspace, requests } = await startForeignServer(context, dialect, [
        call("read", { path: "greeting.txt" }),
        call("edit", { path: "greeting.txt", old: "Hello", new: "Good morning" }),
        answer("The greeting is friendlier now."),
      ]);
      await writeFile(join(workspace, "greeting.txt"), "Hello, sheep.\n");
      const { code, out, err } = await run(["run", "Make the greeting friendlier."]);
      expect([code, out], err).toEqual([0, "The greeting is friendlier now.\n"]);
      expect(await readFile(join(workspace, "greeting.txt"), "utf8")).toBe("Good morning, sheep.\n");
      expect(requests()).toHaveLength(3);
      expect(requests()[1]).toContain("Hello, sheep.");
    });

    test("a command that fails for ever ends the run with exit code 5, and stderr says why", async (context) => {
      const { run, requests } = await startForeignServer(context, dialect, [
        call("bash", { command: "cat sheep.txt" }, "I need the sheep."),
      ]);
      const { code, err } = await run(["run", "--max-turns", "50", "Count the sheep."]);
      expect(code, err).toBe(5);
      expect(err).toContain("tool_failures");
      expect(requests().length).toBeLessThan(15);
    });

    test("a slow stream is waited for", async (context) => {
      const sentence = "The sheep came home one after the other, and the last one closed the gate.";
      const { run } = await startForeignServer(context, dialect, [
        { ...answer(sentence), chunkSize: 4, streamingProfile: { ttft: 800, tps: 20, jitter: 0 } },
      ]);
      expect(await run(["run", "Tell me about the sheep."])).toMatchObject({ code: 0, out: `${sentence}\n` });
    });

    test("a rate limit is waited for as the server asks", async (context) => {
      const { run, requests } = await startForeignServer(context, dialect, [rateLimit, answer("Here I am.")]);
      expect(await run(["run", "Hello?"])).toMatchObject({ code: 0, out: "Here I am.\n" });
      expect(requests()).toHaveLength(2);
    });

    test("a server error is tried again", async (context) => {
      const { run, requests } = await startForeignServer(context, dialect, [
        failure(500, "The server is on fire."),
        answer("Here I am."),
      ]);
      expect(await run(["run", "Hello?"])).toMatchObject({ code: 0, out: "Here I am.\n" });
      expect(requests()).toHaveLength(2);
    });

    test("a connection that closes in mid-stream is tried again, and the answer is there once", async (context) => {
      const sentence = "All three sheep are in the pen, and the gate is closed.";
      const { run, requests } = await startForeignServer(context, dialect, [
        { ...answer(sentence), chunkSize: 6, truncateAfterChunks: 4 },
        answer(sentence),
      ]);
      expect(await run(["run", "Where are the sheep?"])).toMatchObject({ code: 0, out: `${sentence}\n` });
      expect(requests()).toHaveLength(2);
    });

    test("a wrong key ends the run at once with exit code 7 and a sentence about the key", async (context) => {
      const { run, requests } = await startForeignServer(context, dialect, [failure(401, "This key is unknown.")]);
      const { code, out, err } = await run(["run", "Hello?"]);
      expect([code, out]).toEqual([7, ""]);
      expect(err).toContain("The provider refused the API key (401)");
      expect(requests()).toHaveLength(1);
    });

    test("a prompt of 40 kB from stdin arrives whole", async (context) => {
      const { run, requests } = await startForeignServer(context, dialect, [answer("Read.")]);
      const lines = Array.from({ length: 800 }, (_, index) => `Sheep ${index} has the ear tag ${index * 7919}.`);
      expect(await run(["run", "-"], lines.join("\n"))).toMatchObject({ code: 0, out: "Read.\n" });
      for (const line of lines) expect(requests()[0]).toContain(line);
    });

    test("a request that is too long for the server is compacted and sent once more", async (context) => {
      const { run, workspace, requests } = await startForeignServer(context, dialect, [
        call("bash", { command: "cat sheep.txt sheep.txt" }),
        call("read", { path: "sheep.txt" }),
        call("grep", { pattern: "number 1" }),
        tooLong[dialect],
        answer("There are 400 sheep."),
      ]);
      const sheep = Array.from({ length: 400 }, (_, index) => `This is sheep number ${index}.`).join("\n");
      await writeFile(join(workspace, "sheep.txt"), sheep);
      const { code, out, err } = await run(["run", "Count the sheep."]);
      expect([code, out], err).toEqual([0, "There are 400 sheep.\n"]);
      const [before = "", after = ""] = requests().slice(3);
      expect(after.length).toBeLessThan(before.length);
      expect(after).toContain("Count the sheep.");
    });

    test("a request that stays too long ends the run without proposing a larger context", async (context) => {
      const { run, requests } = await startForeignServer(context, dialect, [tooLong[dialect]]);
      const { code, out, err } = await run(["run", "Count the sheep."]);
      expect([code, out], err).toEqual([4, ""]);
      expect(requests()).toHaveLength(2);
      expect(err).toContain("use a model with a larger context window");
      expect(err).not.toContain("max_context_tokens");
    });

    test("a prompt of 5 MB ends the run before a request, with exit code 2 and its size", async (context) => {
      const { run, requests } = await startForeignServer(context, dialect, [answer("Read.")]);
      const { code, out, err } = await run(["run", "-"], "This sheep has an ear tag. ".repeat(190_000));
      expect([code, out], err).toEqual([2, ""]);
      expect(err).toMatch(/\d,\d{3},\d{3} tokens/);
      expect(requests()).toHaveLength(0);
    });

    test("a rate limit that lasts is waited for again and again, and stderr says so", async (context) => {
      const limits = Array.from({ length: 5 }, () => rateLimit);
      const { run, requests } = await startForeignServer(context, dialect, [...limits, answer("Here I am.")]);
      const { code, out, err } = await run(["run", "Hello?"]);
      expect([code, out], err).toEqual([0, "Here I am.\n"]);
      expect(err).toContain("Slow down");
      expect(requests()).toHaveLength(6);
    });

    test("a server that never recovers ends the run in its time, and stderr says how to resume", async (context) => {
      const { run } = await startForeignServer(context, dialect, [failure(500, "The server is on fire.")]);
      const { code, err } = await run(["run", "--max-time", "3s", "Hello?"]);
      expect(code, err).toBe(6);
      expect(err).toContain("The last request failed: The provider failed (500): The server is on fire");
      expect(err).toMatch(/sheepdog run --resume ses_\w+/);
    });
  });
});

test.skipIf(!isBuilt || !hasTmux)(
  "in a terminal, the answer and the calls are shown while they arrive",
  async (context) => {
    const { workspace, env } = await startForeignServer(context, "anthropic", [
      call("bash", { command: "echo two sheep > pen.txt" }, "I write it down."),
      { ...answer("Two sheep are in the pen."), chunkSize: 4, streamingProfile: { ttft: 300, tps: 20, jitter: 0 } },
    ]);
    const tmux = (...args: readonly string[]) =>
      spawnSync("tmux", ["-u", "-L", "foreign", "-f", "/dev/null", ...args], {
        encoding: "utf8",
        env: { ...env, TMUX_TMPDIR: dirname(workspace), TERM: "xterm-256color" },
      }).stdout;
    const command = `'${process.execPath}' '${bin}' run 'Count the sheep.'; echo "ended with $?"; exec sleep 60`;
    tmux("new-session", "-d", "-x", "80", "-y", "40", "-c", workspace, command);
    context.onTestFinished(() => void tmux("kill-server"));
    const screen = await vi.waitFor(
      () => {
        const shown = tmux("capture-pane", "-p");
        expect(shown).toContain("ended with 0");
        return shown;
      },
      { timeout: 20_000, interval: 100 },
    );
    for (const text of ["I write it down.", "echo two sheep > pen.txt", "Two sheep are in the pen."])
      expect(screen).toContain(text);
  },
);
