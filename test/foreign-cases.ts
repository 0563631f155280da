import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { Dialect, ForeignServer, ProcessResult, Reply } from "./foreign-server.ts";
import type { ForeignTerminal } from "./foreign-terminal.ts";

/** What a server may do to a run, and what a script and a person then see. */
export interface ForeignCase {
  /** A sentence. */
  readonly name: string;
  readonly replies: readonly Reply[] | Readonly<Record<Dialect, readonly Reply[]>>;
  /** The prompt; without one, it is the file `prompt.txt` as stdin. */
  readonly prompt?: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Waits are 20 times as fast. */
  readonly hasFastClock?: boolean;
  /** The number of requests that the server gets in the end, without second opinions. */
  readonly requests: { readonly piped: number; readonly inTerminal: number };
  /** A turn may pass while a second opinion is open. */
  readonly lateTurns?: number;
  /** Checks what a script gets. */
  piped(result: ProcessResult, server: ForeignServer): void | Promise<void>;
  /** Answers what the terminal asks, and checks what a person sees. */
  inTerminal(terminal: ForeignTerminal, server: ForeignServer): Promise<void>;
}

export function call(name: string, input: Record<string, unknown>, content = "Let me see."): Reply {
  return { reply: { content, toolCalls: [{ name, arguments: input }] } };
}

export function answer(content: string): Reply {
  return { reply: { content } };
}

export function failure(status: number, message: string, more: object = {}): Reply {
  return { reply: { error: { message, type: "api_error", ...more }, status } };
}

/** The server asks for a wait of 30 s. */
const rateLimit: Reply = {
  reply: { error: { message: "Slow down.", type: "rate_limit_error" }, status: 429, retryAfter: 30 },
};

/** What the providers answer if a request does not fit into the model's context. */
const tooLong: Readonly<Record<Dialect, Reply>> = {
  anthropic: failure(400, "prompt is too long: 215000 tokens > 200000 maximum", { type: "invalid_request_error" }),
  openai: failure(400, "Your input exceeds the context window of this model.", { code: "context_length_exceeded" }),
  "openai-compatible": failure(400, "This model's maximum context length is 8192 tokens.", {
    code: "context_length_exceeded",
  }),
};

function inEachDialect(repliesOf: (dialect: Dialect) => readonly Reply[]): Readonly<Record<Dialect, readonly Reply[]>> {
  return {
    anthropic: repliesOf("anthropic"),
    openai: repliesOf("openai"),
    "openai-compatible": repliesOf("openai-compatible"),
  };
}

const sheepLines = Array.from({ length: 400 }, (_, index) => `This is sheep number ${index}.`).join("\n");
export const longAnswer = "The sheep came home one after the other, and the last one closed the gate.";
const slowly = { ttft: 500, tps: 25, jitter: 0 };

export const cases: readonly ForeignCase[] = [
  {
    name: "a success with an edit",
    replies: [
      call("read", { path: "greeting.txt" }),
      call("edit", { path: "greeting.txt", old: "Hello", new: "Good morning" }, "I change it."),
      answer("The greeting is friendlier now."),
    ],
    prompt: "Make the greeting friendlier.",
    files: { "greeting.txt": "Hello, sheep.\n" },
    requests: { piped: 3, inTerminal: 3 },
    async piped({ code, out, err }, server) {
      expect([code, out], err).toEqual([0, "The greeting is friendlier now.\n"]);
      expect(server.requests()[1]).toContain("Hello, sheep.");
      await expectEdited(server);
    },
    async inTerminal(terminal, server) {
      const shown = await terminal.ended(0);
      expect(shown).toMatch(/I change it\. edit greeting\.txt \+1 -1 ✓ [\d.]+ s @@ .* -Hello, sheep\. \+Good morning,/);
      expect(shown).toMatch(/friendlier now\. ses_\w+: 3 turns, \$0\.\d+\. To continue: sheepdog run --continue/);
      await expectEdited(server);
    },
  },
  {
    name: "a command that fails for ever",
    replies: [call("bash", { command: "cat flock.txt" }, "I need the sheep.")],
    prompt: "Count the sheep.",
    requests: { piped: 8, inTerminal: 5 },
    lateTurns: 2,
    piped({ code, out, err }) {
      expect([code, out], err).toEqual([5, ""]);
      expect(err).toContain("tool_failures");
      expect(err).toMatch(/sheepdog run --resume ses_\w+/);
    },
    async inTerminal(terminal) {
      await terminal.shows(/s = stop/);
      await terminal.say("s");
      const shown = await terminal.ended(5);
      expect(shown).toContain("sheepdog: hint (failing-call, 3 times)");
      expect(shown).toContain("sheepdog: warn (failing-call, 4 times)");
      expect(shown).toMatch(
        /asks you \(failing-call, [5-7] times\) .* failed [5-7] times .* "cat: flock\.txt: No such file/,
      );
      expect(shown).toMatch(/[5-7] turns, \$0\.\d+ so far\./);
      expect(shown).toMatch(/you stopped it \(tool_failures; [5-7] turns, \$0\.\d+\)\./);
      expect(shown).toMatch(/To resume: sheepdog run --resume ses_\w+ ended with 5/);
    },
  },
  {
    name: "a slow stream",
    replies: [{ ...answer(longAnswer), chunkSize: 4, streamingProfile: slowly }],
    prompt: "Tell me about the sheep.",
    requests: { piped: 1, inTerminal: 1 },
    piped({ code, out, err }) {
      expect([code, out], err).toEqual([0, `${longAnswer}\n`]);
    },
    async inTerminal(terminal) {
      await terminal.shows(/waiting for the model {2}\d+ s/);
      expect(await terminal.shows(/^The sheep came/m)).not.toContain("closed the gate.");
      expect(timesIn(await terminal.ended(0), longAnswer)).toBe(1);
    },
  },
  {
    name: "a rate limit that lasts for 90 s",
    replies: [rateLimit, rateLimit, rateLimit, answer("Here I am.")],
    prompt: "Hello?",
    hasFastClock: true,
    requests: { piped: 4, inTerminal: 4 },
    piped({ code, out, err }) {
      expect([code, out], err).toEqual([0, "Here I am.\n"]);
      expect(err).toMatch(/too many requests \(429\): Slow down\. Attempt 2 in 3\d s[.;]/);
      expect(err).toMatch(/Slow down\. Attempt 4 in 3\d s; the request has failed for (?:1 min|[6-9]\d s)/);
    },
    async inTerminal(terminal) {
      await terminal.shows(/The provider reports too many requests \(429\): Slow down\. Attempt \d in 3\d s/);
      await terminal.shows(/retry in \d+ s \(attempt [234]\)/);
      const shown = await terminal.ended(0);
      expect(shown).toMatch(/Attempt 4 in 3\d s; the request has failed for (?:1 min|[6-9]\d s).* ×3 Here I am\. ses_/);
      expect(timesIn(shown, "Slow down")).toBe(1);
    },
  },
  {
    name: "a server error",
    replies: [failure(500, "The server is on fire."), answer("Here I am.")],
    prompt: "Hello?",
    requests: { piped: 2, inTerminal: 2 },
    piped({ code, out, err }) {
      expect([code, out], err).toEqual([0, "Here I am.\n"]);
      expect(err).toMatch(/The provider failed \(500\): The server is on fire\. Attempt 2 in \d\.\d s[.;]/);
    },
    async inTerminal(terminal) {
      const shown = await terminal.ended(0);
      expect(shown).toMatch(
        /The provider failed \(500\): The server is on fire\. Attempt 2 in \d\.\d s[.;].* Here I am\./,
      );
    },
  },
  {
    name: "a connection that closes in mid-stream",
    replies: [
      { ...answer(longAnswer), chunkSize: 4, truncateAfterChunks: 14, streamingProfile: slowly },
      answer(longAnswer),
    ],
    prompt: "Where are the sheep?",
    requests: { piped: 2, inTerminal: 2 },
    piped({ code, out, err }) {
      expect([code, out], err).toEqual([0, `${longAnswer}\n`]);
      expect(err).toMatch(/The connection to the provider broke .*\. Attempt 2 in \d\.\d s[.;]/);
    },
    async inTerminal(terminal) {
      const shown = await terminal.ended(0);
      expect(shown).toMatch(
        /The sheep .*The connection to the provider broke .*\. Attempt 2 in \d\.\d s[.;].* The sheep/,
      );
      expect(timesIn(shown, longAnswer)).toBe(1);
    },
  },
  {
    name: "a request that is too long for the server until it is compacted",
    replies: inEachDialect((dialect) => [
      call("bash", { command: "cat sheep.txt sheep.txt" }),
      call("read", { path: "sheep.txt" }),
      call("grep", { pattern: "number 1" }),
      tooLong[dialect],
      answer("There are 400 sheep."),
    ]),
    prompt: "Count the sheep.",
    files: { "sheep.txt": sheepLines },
    requests: { piped: 5, inTerminal: 5 },
    piped({ code, out, err }, server) {
      expect([code, out], err).toEqual([0, "There are 400 sheep.\n"]);
      expectShorterRequest(server);
    },
    async inTerminal(terminal, server) {
      const shown = await terminal.ended(0);
      expect(shown).toMatch(/Compacted the context: \d\d,\d{3} → \d,\d{3} tokens \(\w+\)\. There are 400 sheep\. ses_/);
      expectShorterRequest(server);
    },
  },
  {
    name: "a request that stays too long for the server",
    replies: inEachDialect((dialect) => [tooLong[dialect]]),
    prompt: "Count the sheep.",
    requests: { piped: 2, inTerminal: 2 },
    piped({ code, out, err }) {
      expect([code, out], err).toEqual([4, ""]);
      expect(err).toContain("use a model with a larger context window");
      expect(err).not.toContain("max_context_tokens"); // it would not help
    },
    async inTerminal(terminal) {
      const shown = await terminal.ended(4);
      expect(shown).toContain("The conversation is longer than the model's context window (400)");
      expect(shown).toContain("use a model with a larger context window, or start a new session (context_budget;");
    },
  },
  {
    name: "a prompt of 5 MB",
    replies: [answer("Read.")],
    files: { "prompt.txt": "This sheep has an ear tag. ".repeat(190_000) },
    requests: { piped: 0, inTerminal: 0 },
    piped({ code, out, err }) {
      expect([code, out], err).toEqual([2, ""]);
      expect(err).toMatch(/The prompt has about 1,\d{3},\d{3} tokens/);
    },
    async inTerminal(terminal) {
      const shown = await terminal.ended(2);
      expect(shown).toMatch(
        /The prompt has about 1,\d{3},\d{3} tokens, and the context of [\d,]+ .* has room for [\d,]+/,
      );
      expect(shown).toContain("the request was not sent");
    },
  },
];

async function expectEdited({ workspace }: ForeignServer): Promise<void> {
  expect(await readFile(join(workspace, "greeting.txt"), "utf8")).toBe("Good morning, sheep.\n");
}

/** The request after the refused one is shorter, and still has the prompt. */
function expectShorterRequest(server: ForeignServer): void {
  const [before = "", after = ""] = server.requests().slice(3);
  expect(after.length).toBeLessThan(before.length);
  expect(after).toContain("Count the sheep.");
}

function timesIn(text: string, part: string): number {
  return text.split(part).length - 1;
}
