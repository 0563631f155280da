import { existsSync, readFileSync } from "node:fs";
import type { Scope } from "../../attach/agents.ts";
import { type AttachedAgent, attachStatus } from "../../attach/attach-status.ts";
import { hookScriptText, thisInstallation } from "../../attach/hook-script.ts";
import { lostReceipts } from "../../attach/receipts.ts";
import type { Home } from "../../home.ts";
import type { Io } from "../../io.ts";
import { shortDate } from "../../render/terminal/short-date.ts";
import { type Check, type Finding, fail, ok, warn } from "../finding.ts";

/** Checks the agents that Sheepdog is attached to: whether their hooks can start, and whether they fire. */
export const attachedAgentsCheck: Check = {
  name: "attached",
  async run({ io, home, now }) {
    const agents = (await attachStatus(home, io)).filter(({ places }) => places.length > 0);
    const lost = lostReceipts(home);
    const findings = [
      ...agents.flatMap((agent) => findingsOf(agent, now())),
      ...lost.map(({ agent, scope, file }) =>
        warn(
          `${file} is gone, so ${agent} is not attached there.`,
          `${attachAgain(agent, scope)}, or forget it: sheepdog detach ${agent} --write`,
        ),
      ),
    ];
    if (agents.length > 0) findings.unshift(...scriptFindings(home, io));
    return findings.length === 0 ? [ok("None.")] : findings;
  },
};

function scriptFindings(home: Home, { env }: Io): readonly Finding[] {
  const fix = "Attach an agent again: sheepdog attach claude-code --write";
  if (!existsSync(home.hookScript)) return [fail(`${home.hookScript} is gone, so no hook works.`, fix)];
  const script = readFileSync(home.hookScript, "utf8");
  const bin = /^sheepdog='(.*)'$/m.exec(script)?.[1]?.replaceAll("'\\''", "'");
  if (bin === undefined || !existsSync(bin))
    return [fail(`${home.hookScript} starts ${bin ?? "nothing"}, which is gone.`, fix)];
  const isCurrent = script === hookScriptText(home, thisInstallation(), env);
  return isCurrent ? [] : [warn(`${home.hookScript} starts another installation: ${bin}.`, fix)];
}

function findingsOf({ agent, places, isObserving, activity }: AttachedAgent, now: number): readonly Finding[] {
  const outdated = places.filter(({ isCurrent }) => !isCurrent);
  const fired = activity.lastAt === null ? "no hook has fired yet" : `last fired ${shortDate(activity.lastAt, now)}`;
  return [
    ...outdated.map(({ file, scope }) =>
      warn(`${agent.label}: the hooks in ${file} are not complete.`, attachAgain(agent.id, scope)),
    ),
    ok(`${agent.label}: attached${isObserving ? ", only observes" : ""}; ${fired}.`),
    ...(activity.lastProblem === null
      ? []
      : [warn(`${agent.label}: ${activity.lastProblem}`, "See all of them: sheepdog attach status --json")]),
  ];
}

function attachAgain(agent: string, scope: Scope): string {
  return `Attach it again: sheepdog attach ${agent}${scope === "user" ? "" : ` --${scope}`} --write`;
}
