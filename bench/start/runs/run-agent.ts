import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { startWireServer } from "../../../packages/agent/dist/testing/index.js";
import { emptyEnvironment } from "../environment.ts";
import type { Agent } from "./agents.ts";
import { launch } from "./launch.ts";
import { answer, createNoteReader } from "./notes.ts";

/** What one complete run took. */
export interface AgentRun {
  /** Milliseconds from process start to the first request on the wire. */
  readonly firstRequestMs: number;
  /** Milliseconds of processor time of the process and its descendants. */
  readonly cpuMs: number;
  /** Milliseconds from process start to exit. */
  readonly clockMs: number;
  /** Requests beside the run's 25. */
  readonly otherRequests: number;
}

export interface RunPlace {
  readonly home: string;
  readonly workspace: string;
  readonly isIsolated: boolean;
}

/**
 * Runs an agent once against a server of its own. Throws unless it makes all requests and calls and prints the answer.
 */
export async function runAgent(agent: Agent, { home, workspace, isIsolated }: RunPlace): Promise<AgentRun> {
  const notes = createNoteReader(workspace, agent.read);
  let firstRequestAt: number | undefined;
  const server = await startWireServer([], {
    afterLast(request) {
      firstRequestAt ??= performance.now();
      return notes.reply(request);
    },
  });
  try {
    const { args, env, files } = agent.setup(server.url);
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), content);
    }
    const startedAt = performance.now();
    const exit = await launch([...agent.program.command(), ...args], {
      env: { ...emptyEnvironment(home), ...env },
      cwd: workspace,
      isIsolated,
    });
    if (exit.code !== 0) throw new Error(`it exited with ${exit.code}: ${lastLine(exit.stderr)}`);
    notes.check();
    if (!exit.stdout.includes(answer)) throw new Error(`it did not print the answer but: ${lastLine(exit.stdout)}`);
    return {
      firstRequestMs: (firstRequestAt ?? Number.NaN) - startedAt,
      cpuMs: exit.cpuMs,
      clockMs: exit.clockMs,
      otherRequests: notes.otherRequests(),
    };
  } finally {
    await server.close();
  }
}

function lastLine(output: string): string {
  return output.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
}
