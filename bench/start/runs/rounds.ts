import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Agent, baselineAgent, ourAgents, peerAgents } from "./agents.ts";
import { writeNotes } from "./notes.ts";
import { type AgentRun, runAgent } from "./run-agent.ts";

/** The runs of each agent, one entry a round, by its name; and why other agents are missing. */
export interface AgentRuns {
  readonly runs: Readonly<Record<string, readonly AgentRun[]>>;
  readonly missing: Readonly<Record<string, string>>;
}

/**
 * Runs all agents in turn, in an order that rotates. Each has a home folder that is empty before its first run. The
 * first run does not count: an agent may set up its home then. An agent that fails once takes no further part.
 */
export async function measureRuns(rounds: number, isIsolated: boolean): Promise<AgentRuns> {
  const folder = mkdtempSync(join(tmpdir(), "sheepdog-bench-"));
  const workspace = join(folder, "workspace");
  writeNotes(workspace);
  const agents = [...ourAgents, ...(baselineAgent === undefined ? [] : [baselineAgent]), ...peerAgents];
  const runs: Record<string, AgentRun[]> = {};
  const missing: Record<string, string> = {};
  try {
    for (let round = -1; round < rounds; round += 1) {
      for (const position of agents.keys()) {
        const agent = agents[(position + round + 1) % agents.length] as Agent; // in bounds by the remainder
        if (missing[agent.name] !== undefined) continue;
        try {
          const home = join(folder, agent.name.replaceAll(/\W/g, "-"));
          mkdirSync(home, { recursive: true });
          const run = await runAgent(agent, { home, workspace, isIsolated });
          if (round >= 0) runs[agent.name] = [...(runs[agent.name] ?? []), run];
        } catch (error) {
          missing[agent.name] = `cannot be driven here: ${error instanceof Error ? error.message : error}`;
          delete runs[agent.name];
        }
      }
    }
    return { runs, missing };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
