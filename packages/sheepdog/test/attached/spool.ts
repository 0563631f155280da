import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { HookAgent, SpoolLine } from "@sheepdog/integrations/hooks";

type Body = SpoolLine extends infer Line ? (Line extends SpoolLine ? Omit<Line, "at"> : never) : never;

/** Writes the spool of one session as hooks do, one second a line. */
export interface TestSpool {
  readonly file: string;
  /** Adds lines and saves the file. */
  add(...bodies: readonly Body[]): void;
  /** A turn with a call that fails, as the first of several equal ones do. */
  failingTurn(id: string): void;
}

interface SpoolOptions {
  readonly agent?: HookAgent;
  readonly session?: string;
  readonly cwd?: string;
  /** When the session starts, in milliseconds since 1970. */
  readonly startedAt: number;
}

export function testSpool(attachDir: string, options: SpoolOptions): TestSpool {
  const { agent = "claude-code", session = "5f0c1a", cwd = "/srv/shop", startedAt } = options;
  const file = join(attachDir, agent, `${session}.jsonl`);
  const lines: SpoolLine[] = [];
  let requests = 0;
  const spool: TestSpool = {
    file,
    add(...bodies) {
      // A body and its time are a line.
      for (const body of bodies) lines.push({ at: startedAt + lines.length * 1_000, ...body } as SpoolLine);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    },
    failingTurn(id) {
      requests++;
      spool.add(
        { type: "call", id, tool: "Bash", args: { command: "npm test" } },
        { type: "result", id, status: "error", content: "Error: 1 test failed" },
        {
          type: "usage",
          model: "claude-sonnet-4-5",
          inputTokens: 1_000 * requests,
          cacheReadTokens: 0,
          cacheWriteTokens: 0,
          outputTokens: 10 * requests,
          costNanoUsd: 10_000_000 * requests,
        },
        { type: "turn-end" },
      );
    },
  };
  spool.add(
    { type: "session", version: 1, agent, session, cwd, model: "claude-sonnet-4-5", mode: "guide" },
    { type: "prompt", text: "Fix the failing test.", origin: "person" },
  );
  return spool;
}

/** Three failing turns with a hint, two more, and a refused attempt. */
export function addRefusedLoop(spool: TestSpool): void {
  const episode = { detector: "failing-call", tool: "Bash", isApplied: true } as const;
  for (const id of ["c1", "c2", "c3"]) spool.failingTurn(id);
  spool.add(
    {
      type: "intervention",
      intervention: {
        ...{ id: "e1/hint", level: "hint", effect: "tell", call: 2, evidence: [0, 1, 2], count: 3, ...episode },
        message: 'This exact call to "Bash" has failed 3 times with the same error.',
      },
    },
    { type: "answer", event: "PostToolUse", parts: ["tell"] },
  );
  for (const id of ["c4", "c5"]) spool.failingTurn(id);
  spool.add(
    { type: "call", id: "c6", tool: "Bash", args: { command: "npm test" } },
    {
      type: "intervention",
      intervention: {
        ...{ id: "e1/block", level: "block", effect: "deny", call: 4, evidence: [0, 1, 2, 3, 4], count: 5, ...episode },
        denies: { callId: "c6" },
        message: "This call was refused: it has failed 5 times in the same way.",
      },
    },
    { type: "answer", event: "PreToolUse", parts: ["deny"] },
    { type: "hook", event: "PreToolUse", ms: 3 },
  );
}
