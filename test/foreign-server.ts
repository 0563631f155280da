import { spawn } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type FixtureFileResponse, type FixtureOpts, LLMock } from "@copilotkit/aimock";
import type { TestContext } from "vitest";

/** The path of the binary. */
export const bin: string = fileURLToPath(new URL("../packages/sheepdog/bin/sheepdog.js", import.meta.url));

export { isBuilt } from "../packages/sheepdog/test/is-built.ts";

/** The dialects of the server that the binary is tested with, and what a user sets for each. */
const dialects = {
  anthropic: (url: string) => ({ ANTHROPIC_API_KEY: "a-key", ANTHROPIC_BASE_URL: url }),
  openai: (url: string) => ({ OPENAI_API_KEY: "a-key", OPENAI_BASE_URL: `${url}/v1` }),
  "openai-compatible": (url: string) => ({
    OPENAI_COMPATIBLE_BASE_URL: `${url}/v1`,
    SHEEPDOG_MODEL__PROVIDER: "openai-compatible",
    SHEEPDOG_MODEL__MODEL_ID: "shepherd-1",
  }),
} as const;

export type Dialect = keyof typeof dialects;

/** A reply of the server, with how it is sent. */
export interface Reply extends FixtureOpts {
  readonly reply: FixtureFileResponse;
}

/** The exit code and the output of the binary. */
export interface ProcessResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A workspace, and a model server that is not part of this repository. */
export interface ForeignServer {
  readonly workspace: string;
  readonly env: Readonly<Record<string, string>>;
  /** The text of each request, oldest first. */
  requests(): readonly string[];
  /** Runs the binary with pipes. */
  run(args: readonly string[], input?: string): Promise<ProcessResult>;
  /** Runs the binary with pipes, and kills it once stdout contains the text. */
  runUntil(text: string, args: readonly string[]): Promise<ProcessResult>;
}

interface ServerOptions {
  /** Sent in their order; the last one for every further request. */
  readonly replies: readonly Reply[];
  /** Further variables for the binary. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the server and creates a workspace. Both are removed when the test ends. */
export async function startForeignServer(
  { onTestFinished }: Pick<TestContext, "onTestFinished">,
  dialect: Dialect,
  { replies, env: more = {} }: ServerOptions,
): Promise<ForeignServer> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "sheepdog-foreign-")));
  const workspace = join(folder, "work");
  await mkdir(workspace);
  const server = new LLMock({ port: 0, logLevel: "silent" });
  for (const [index, { reply, ...options }] of replies.entries())
    server.on({ endpoint: "chat", ...(index < replies.length - 1 ? { sequenceIndex: index } : {}) }, reply, options);
  await server.start();
  onTestFinished(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    LANG: "C.UTF-8",
    SHEEPDOG_HOME: join(folder, "home"),
    OLLAMA_HOST: "127.0.0.1:1", // nothing listens there
    ...dialects[dialect](server.url),
    ...more,
  };
  return {
    workspace,
    env,
    requests: () => server.getRequests().map(({ body }) => JSON.stringify(body)),
    run: (args, input = "") => runBinary(args, { cwd: workspace, env, input }),
    runUntil: (text, args) => runBinary(args, { cwd: workspace, env, input: "", killAt: text }),
  };
}

interface BinaryOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input: string;
  /** Kills the process once stdout contains this. */
  readonly killAt?: string;
}

function runBinary(args: readonly string[], { input, killAt, ...options }: BinaryOptions): Promise<ProcessResult> {
  const child = spawn(process.execPath, [bin, ...args], { ...options, stdio: "pipe" });
  const output = { out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    output.out += chunk.toString("utf8");
    if (killAt !== undefined && output.out.includes(killAt)) child.kill("SIGKILL");
  });
  child.stderr.on("data", (chunk: Buffer) => {
    output.err += chunk.toString("utf8");
  });
  child.stdin.on("error", () => {}); // the binary may end before it has read everything
  child.stdin.end(input);
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, ...output })));
}
