import { type AttachedAgent, attachStatus } from "../../attach/attach-status.ts";
import { countsText } from "../../attach/hook-activity.ts";
import { shownPath } from "../../config/shown-path.ts";
import { exitCode } from "../../exit-code.ts";
import { resolveHome } from "../../home.ts";
import { hookSettings } from "../../hook/compile-settings.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { shortDate } from "../../render/terminal/short-date.ts";
import { styleFor } from "../../render/terminal/style.ts";

/** The options of `sheepdog attach status`. */
export interface StatusOptions {
  readonly json?: true;
}

/** Prints where agents are attached, and what their hooks did lately. */
export async function statusCommand({ json }: StatusOptions, io: Io): Promise<number> {
  const home = resolveHome(io.env);
  const agents = await attachStatus(home, io);
  const { problem } = await hookSettings(home, io);
  if (json) {
    const listed = agents.map(({ agent, places, isObserving, activity }) => ({
      agent: agent.id,
      attached: places,
      mode: isObserving ? "observe" : "guide",
      hooks: activity,
    }));
    await write(
      io.stdout,
      `${jsonText({ schemaVersion: 1, agents: listed, configurationProblem: problem ?? null })}\n`,
    );
    return exitCode.done;
  }
  const { bold } = styleFor(io.stdout, io.env);
  for (const agent of agents)
    await write(
      io.stdout,
      `${bold(agent.agent.label)}\n${linesOf(agent, io)
        .map((line) => `  ${line}\n`)
        .join("")}`,
    );
  if (agents.length > 0 && problem !== undefined) await writeMessage(io, plainText(problem));
  if (agents.length === 0) await writeMessage(io, "no agent is attached; to see what can be: sheepdog attach");
  return exitCode.done;
}

function linesOf({ places, isObserving, activity, agent }: AttachedAgent, { cwd }: Io): readonly string[] {
  const { firings, lastAt, medianMs, p95Ms, applied, observed, lastMessage, lastProblem } = activity;
  const [said, wouldSay] = [countsText(applied), countsText(observed)];
  return [
    ...(places.length === 0 ? ["not attached"] : []),
    ...places.map(({ scope, file, isCurrent }) => {
      const repair = scope === "user" ? agent.id : `${agent.id} --${scope}`;
      const note = isCurrent ? "" : `; not complete, repeat: sheepdog attach ${repair} --write`;
      return `attached (${scope}): ${shownPath(file, cwd)}${note}`;
    }),
    ...(places.length > 0 && isObserving ? ["only observes"] : []),
    lastAt === null || medianMs === null || p95Ms === null
      ? "no hook has fired yet"
      : `last fired ${shortDate(lastAt, Date.now())}; ` +
        `${firings} times, median ${msText(medianMs)}, p95 ${msText(p95Ms)}`,
    ...(said === undefined ? [] : [`said: ${said}`]),
    ...(wouldSay === undefined ? [] : [`would have said: ${wouldSay}`]),
    ...(lastMessage === null ? [] : [`last: ${plainText(lastMessage)}`]),
    ...(lastProblem === null ? [] : [`last failure: ${plainText(lastProblem)}`]),
  ];
}

/** Of the work of a hook alone; starting its process takes longer. */
function msText(ms: number): string {
  return `${ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)} ms`;
}
