import type { Io } from "../../io.ts";
import { agentLabel } from "../../look-back/agent-label.ts";
import { groupsBy } from "../../look-back/groups.ts";
import type { LookBack } from "../../look-back/look-back.ts";
import { programName } from "../../program-name.ts";
import { shortDate } from "../../render/terminal/short-date.ts";
import type { InputOptions } from "./input-options.ts";
import type { LookBackInput } from "./look-back-input.ts";
import { openLookBack } from "./open-look-back.ts";

/** Why no run matches the options, and which runs there are: the newest one, or the projects. */
export async function nothingMatches(
  { agent, project, since }: InputOptions,
  input: LookBackInput,
  io: Io,
): Promise<string> {
  const filters = [
    agent === undefined ? [] : [`--agent ${agent}`],
    project === undefined ? [] : [`--project ${project}`],
    since === undefined ? [] : [`--since ${since}`],
  ].flat();
  const problem = `no recorded run matches ${filters.join(" ")}`;
  const others = `${problem}; leave it out to see all runs`;
  if (input.paths.includes("-")) return others; // it cannot be read again
  const { since: _, ...anyTime } = input;
  if (since !== undefined) {
    const newest = newestText(await openLookBack(anyTime, io), { now: input.now, program: programName(io.env) });
    if (newest !== undefined) return `${problem}; ${newest}`;
  }
  const { isProject: __, ...anywhere } = anyTime;
  const projects = project === undefined ? undefined : projectsText(await openLookBack(anywhere, io));
  return projects === undefined ? others : `${problem}; ${projects}`;
}

interface Here {
  readonly now: number;
  readonly program: string;
}

function newestText({ runs: [newest] }: LookBack, { now, program }: Here): string | undefined {
  const at = newest?.endedAt ?? newest?.startedAt;
  if (newest === undefined || at === undefined || at === null) return undefined;
  return `the newest run is one of ${agentLabel(newest.source)} of ${shortDate(at, now)}: ${program} show ${newest.id}`;
}

const MAX_PROJECTS = 8;

/** The folders, those with most runs first. */
function projectsText(lookBack: LookBack): string | undefined {
  const folders = groupsBy(lookBack, "project")
    .filter(({ name }) => name !== "")
    .toSorted((a, b) => b.runs - a.runs)
    .map(({ name }) => name);
  if (folders.length === 0) return undefined;
  const left = folders.length - MAX_PROJECTS;
  const more = left > 0 ? ` and ${left.toLocaleString("en-US")} more` : "";
  return `agents worked in ${folders.slice(0, MAX_PROJECTS).join(", ")}${more}`;
}
