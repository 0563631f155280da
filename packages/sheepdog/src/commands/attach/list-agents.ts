import { existsSync } from "node:fs";
import { type AttachableAgent, attachableAgents, type Scope } from "../../attach/agents.ts";
import { planAttach } from "../../attach/attach.ts";
import { findAttached } from "../../attach/detach.ts";
import { findProgram } from "../../doctor/find-program.ts";
import { exitCode } from "../../exit-code.ts";
import { resolveHome } from "../../home.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { layOut } from "../../render/terminal/table.ts";

/** Lists the agents of this machine, and what attaching to each would do. */
export async function listAgents(scope: Scope, io: Io): Promise<number> {
  const home = resolveHome(io.env);
  const attached = await findAttached(home, io);
  const rows: string[][] = [];
  for (const agent of attachableAgents) {
    if (!isFound(agent, io)) continue;
    const scopes = attached.filter((each) => each.agent.id === agent.id).map(({ scope }) => scope);
    rows.push([agent.label, scopes.join(", ") || "no", plainText(await effectOf(agent, scope, io))]);
  }
  if (rows.length === 0) {
    await writeMessage(
      io,
      `none of these agents was found on this machine: ${attachableAgents.map(({ label }) => label).join(", ")}`,
    );
    return exitCode.done;
  }
  const lines = layOut(
    [
      { title: "Agent", align: "left", min: 8 },
      { title: "Attached", align: "left", min: 8 },
      { title: "sheepdog attach would", align: "left", min: 20 },
    ],
    rows,
    columnsOf(io.stdout, io.env),
  );
  const { bold } = styleFor(io.stdout, io.env);
  for (const [index, line] of lines.entries()) await write(io.stdout, `${index === 0 ? bold(line) : line}\n`);
  await writeMessage(io, "nothing is written; to see a change: sheepdog attach claude-code");
  return exitCode.done;
}

/** Whether the agent was used or installed here. */
function isFound(agent: AttachableAgent, io: Io): boolean {
  return findProgram(agent.program, io.env) !== undefined || existsSync(agent.userFolder(io));
}

async function effectOf(agent: AttachableAgent, scope: Scope, io: Io): Promise<string> {
  const planned = await planAttach({ agent, scope, observe: false, statusLine: false }, resolveHome(io.env), io);
  if (!planned.ok) return `fail: ${planned.problem}`;
  const { before, after, file } = planned.plan;
  if (before === after) return "change nothing";
  return `${before === undefined ? "create" : "change"} ${file}`;
}
