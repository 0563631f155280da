import { agentPlaces } from "@sheepdog/records";
import { exitCode } from "../../exit-code.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { agentLabel } from "../../look-back/agent-label.ts";
import type { LookBack } from "../../look-back/look-back.ts";
import { programName } from "../../program-name.ts";
import { ownSource } from "../../recordings/saved-run-recording.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { cut, fit } from "../../render/terminal/width.ts";
import { wrap } from "../../render/terminal/wrap.ts";
import type { InputOptions } from "./input-options.ts";
import type { LookBackInput } from "./look-back-input.ts";
import { nothingMatches } from "./nothing-matches.ts";
import { openLookBack } from "./open-look-back.ts";
import { writeSkipped } from "./skipped-files.ts";

interface Nothing {
  readonly input: LookBackInput;
  readonly options: InputOptions & { readonly skipped?: true; readonly json?: true };
  readonly io: Io;
}

/** Says why there is nothing to print, and what to type next. Nothing readable at a given path is an error. */
export async function writeNoRuns(lookBack: LookBack, { input, options, io }: Nothing): Promise<number> {
  await writeSkipped(lookBack, { options, io });
  const { agent, project, since } = options;
  const isFiltered = agent !== undefined || project !== undefined || since !== undefined;
  const isBare = input.paths.length === 0 && isFiltered && (await isWithoutRuns(input, io));
  if (isFiltered && !isBare && (input.paths.length === 0 || lookBack.scan.skippedCount === 0)) {
    await writeMessage(io, plainText(await nothingMatches(options, input, io)));
    return exitCode.done;
  }
  if (input.paths.length > 0) {
    await writeMessage(io, "no readable run was found");
    return exitCode.usage;
  }
  await write(io.stdout, `${noRecordingsLines(input, io).join("\n")}\n`);
  return exitCode.done;
}

/** Whether the whole machine has no run, of any agent, project or time. */
async function isWithoutRuns(
  { since: _, agent: __, isProject: ___, ...whole }: LookBackInput,
  io: Io,
): Promise<boolean> {
  const { runs } = await openLookBack(whole, io);
  return runs.length === 0;
}

/** A machine without recordings: where was looked, and what can be tried all the same. */
function noRecordingsLines({ machine, home }: LookBackInput, { stdout, env }: Io): readonly string[] {
  const width = columnsOf(stdout, env);
  const style = styleFor(stdout, env);
  const program = programName(env);
  const rows = new Map<string, readonly string[]>();
  for (const { label, path, isOutdated, isOfHooks } of agentPlaces(machine))
    if (!isOutdated && !isOfHooks) rows.set(label, [...(rows.get(label) ?? []), path]);
  rows.set(agentLabel(ownSource), [home.database]);
  const labelWidth = 12;
  const row = ([label, paths]: readonly [string, readonly string[]]) =>
    cut(`  ${fit(label, labelWidth)}  ${plainText(shortPath(paths.join(", "), machine.homeFolder))}`, width);
  return [
    ...wrap("No agent has left a recording here yet. These places were searched:", width),
    "",
    ...[...rows].map(row),
    "",
    ...wrap("To see what an answer looks like, without an API key:", width),
    style.bold(`  ${program} demo`),
    "",
    ...wrap("Recordings in another place can be named:", width),
    style.bold(`  ${program} analyze <file or folder>`),
  ];
}

function shortPath(paths: string, homeFolder: string): string {
  return homeFolder === "/" ? paths : paths.replaceAll(`${homeFolder}/`, "~/");
}
