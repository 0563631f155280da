import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { AsyncContestant } from "../measure/async-rounds.ts";
import { importBuilt, ownRoot } from "../measure/baseline.ts";

/** What this benchmark uses of the agent's package, in every build. */
interface AgentExports {
  readonly createGate: (options: { readonly attended: boolean }) => Gate;
  readonly builtinTools: (options: { readonly workspace: string }) => readonly Tool[];
}

interface Tool {
  readonly name: string;
}

interface Gate {
  decide(call: object, tool: Tool, context: { readonly workspace: string }): Promise<{ readonly reason: string }>;
}

interface ParserExports {
  readonly parse: (script: string) => { readonly commands: readonly unknown[] };
}

/** The gate of a build, asked about a command line of the bash tool. */
export async function gateContestant(name: string, root: string, workspace: string): Promise<AsyncContestant> {
  const { createGate, builtinTools } = await importBuilt<AgentExports>(root, "agent");
  const gate = createGate({ attended: false });
  const bash = builtinTools({ workspace }).find((tool) => tool.name === "bash");
  if (bash === undefined) throw new Error(`Expected ${name} to have the tool bash.`);
  return {
    name,
    async run(commands) {
      for (const command of commands) {
        const call = { type: "call", id: "call_1", tool: "bash", input: { command } };
        const { reason } = await gate.decide(call, bash, { workspace });
        if (reason === "") throw new Error("Expected a reason.");
      }
    },
  };
}

/** The parser that the gate uses, without any judgement: the floor. */
export async function parserContestant(name: string): Promise<AsyncContestant> {
  const agent = createRequire(join(ownRoot, "packages/agent/package.json"));
  const parser = (await import(pathToFileURL(agent.resolve("unbash")).href)) as ParserExports; // its documented export
  return {
    name,
    async run(commands) {
      for (const command of commands) {
        if (parser.parse(command).commands === undefined) throw new Error("Expected a tree.");
      }
    },
  };
}
