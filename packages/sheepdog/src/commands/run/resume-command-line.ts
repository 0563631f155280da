import { redactSecrets } from "@sheepdog/guardian";
import { shellWord } from "../../render/terminal/shell-word.ts";
import { type EndedRun, type EndedUnder, raiseLimit } from "../../saved-runs/raised-limit.ts";
import { namedFlags, type RunOptions, settingOf } from "./run-options.ts";

/** What the command that goes on must say besides the session. */
export interface ResumeWith extends EndedUnder {
  readonly options: RunOptions;
  /** Absolute, where a folder was named. */
  readonly cwd?: string | undefined;
}

/** The exact command that goes on with a run that was ended: with the same limits, model and settings, but the limit that ended it raised. */
export function resumeCommandLine(ended: EndedRun, { options, cwd, ...rest }: ResumeWith): string {
  const raised = raiseLimit(ended, rest);
  return [
    `sheepdog run --resume ${ended.sessionId}`,
    ...(raised === undefined ? [] : [raised.flag]),
    ...sameFlags(options, raised?.key),
    ...(cwd === undefined ? [] : [`--cwd ${shellWord(cwd)}`]),
  ].join(" ");
}

/** What was said on the command line and still holds. A secret is not printed: who has given it can give it again. */
function sameFlags(options: RunOptions, raisedKey: string | undefined): readonly string[] {
  const settings = (options.set ?? []).filter(
    (setting) => settingOf(setting)?.key !== raisedKey && redactSecrets(setting) === setting,
  );
  return [
    ...namedFlags(options).flatMap(({ flag, key, given }) =>
      given === undefined || key === raisedKey ? [] : [`${flag} ${shellWord(given)}`],
    ),
    ...(options.mode === undefined ? [] : [`--mode ${options.mode}`]),
    ...settings.map((setting) => `--set ${shellWord(setting)}`),
    ...(options.unattended === undefined ? [] : ["--unattended"]),
    ...(options.model === undefined ? [] : [`--model ${shellWord(options.model)}`]),
  ];
}
