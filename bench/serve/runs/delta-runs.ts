import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startWireServer } from "../../../packages/agent/dist/testing/index.js";
import { conversation } from "../../loop/conversation.ts";
import { emptyEnvironment } from "../../start/environment.ts";
import { ours } from "../../start/programs.ts";
import { load, sleep } from "../load.ts";

/** Runs of the program, which offer their deltas to the server. */
export interface DeltaRuns {
  stop(): Promise<void>;
}

const pieces = 40;

/** Starts `sheepdog run` processes against a local model server whose replies take as long as those of the others. */
export async function startDeltaRuns(folder: string): Promise<DeltaRuns> {
  const workspace = join(folder, "work");
  mkdirSync(workspace);
  writeFileSync(join(workspace, "note.txt"), "Shelf 1 has 37 planks.\n");
  const { turns } = conversation(1_000);
  const server = await startWireServer([], {
    afterLast({ index }) {
      const { deltas = [], path = "" } = turns[index % turns.length] ?? {};
      const text = deltas.join("").repeat(2).padEnd(480, ".").slice(0, 480);
      return {
        text,
        deltaChars: text.length / pieces,
        deltaDelayMs: load.replyMs / pieces,
        calls: [{ tool: "read", input: { path: "note.txt", offset: (index % 20) + 1, note: path } }],
      };
    },
  });
  const config = [
    "[model]",
    'provider = "anthropic"',
    'model_id = "claude-sonnet-4-5"',
    `base_url = "${server.url}/v1"`,
  ];
  writeFileSync(join(folder, "config.toml"), config.join("\n"));
  const env = { ...emptyEnvironment(folder), SHEEPDOG_HOME: folder, ANTHROPIC_API_KEY: "no-key-needed" };
  const [program, ...args] = ours.command();
  const children = Array.from({ length: load.deltaRuns }, () =>
    spawn(program, [...args, "run", "Read the notes."], { cwd: workspace, env, stdio: ["ignore", "ignore", "pipe"] }),
  );
  await sleep(load.replyMs);
  for (const child of children) if (child.exitCode !== null) throw new Error(`Expected a run; ${await errorOf(child)}`);
  return {
    async stop() {
      for (const child of children) child.kill("SIGKILL");
      await server.close();
    },
  };
}

async function errorOf({ stderr }: ChildProcess): Promise<string> {
  let text = "";
  for await (const chunk of stderr ?? []) text += String(chunk);
  return text.slice(0, 400);
}
