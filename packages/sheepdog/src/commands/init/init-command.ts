import { existsSync } from "node:fs";
import { join } from "node:path";
import { keyVariable, knownProviders } from "../../compose/provider/known-providers.ts";
import { type Edit, editFile } from "../../config/edit-file.ts";
import { loadConfig, projectFileName } from "../../config/load-config.ts";
import { exitCode } from "../../exit-code.ts";
import { type Home, resolveHome } from "../../home.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import type { Answers } from "./answers.ts";
import { withAsker } from "./asker.ts";
import { askForAnswers, type Named, takeFound } from "./choose-answers.ts";
import { projectConfigText, userConfigText } from "./config-text.ts";
import { findPriceStatus } from "./price-status.ts";

/** The options of `sheepdog init`. */
export interface InitOptions extends Named {
  readonly yes?: boolean;
  readonly project?: boolean;
  readonly force?: boolean;
}

/** Writes a configuration to begin with: the user's, or a project's. */
export async function initCommand(options: InitOptions, io: Io): Promise<number> {
  const home = resolveHome(io.env);
  const file = options.project ? join(io.cwd, projectFileName) : home.configFile;
  if (existsSync(file) && !options.force) return refused(io, thereAlready(file));
  const isAsked = !options.yes && !options.project;
  if (isAsked && !(io.stdin.isTTY && io.stderr.isTTY))
    return refused(io, "there is no terminal to ask questions on; -y takes what is found");
  const chosen = isAsked
    ? await withAsker(io, (ask) => askForAnswers(options, io.env, ask))
    : await takeOrLeave(options, io.env);
  if (chosen === undefined) {
    await writeMessage(io, "nothing was written");
    return exitCode.interrupted;
  }
  if (!chosen.ok) return refused(io, chosen.problem);
  const { answers } = chosen;
  const text = options.project
    ? projectConfigText(answers)
    : userConfigText(answers, await findPriceStatus(answers.model));
  try {
    if (!(await isWritten(file, text, options))) return refused(io, thereAlready(file));
  } catch (error) {
    await writeMessage(
      io,
      plainText(`${file} cannot be written (${error instanceof Error ? error.message : String(error)})`),
    );
    return exitCode.failed;
  }
  await write(
    io.stdout,
    [`Wrote ${plainText(file)}.`, ...(await nextSteps(answers, options, io, home))].map((line) => `${line}\n`).join(""),
  );
  return exitCode.done;
}

function thereAlready(file: string): string {
  return `${file} is there already; --force replaces it, and sheepdog config set changes single keys`;
}

/** Whether the file is there as it should be now; false where another one is, and may not be replaced. */
async function isWritten(
  file: string,
  text: string,
  { force = false, project = false }: InitOptions,
): Promise<boolean> {
  let isRefused = false;
  const edit: Edit = (before) => {
    isRefused = before !== undefined && !force;
    return isRefused ? undefined : text;
  };
  await editFile(file, edit, project ? 0o644 : 0o600);
  return !isRefused;
}

/** A project's file names a model only where one was asked for: whoever works on it may have a key for another. */
async function takeOrLeave(options: InitOptions, env: Io["env"]): ReturnType<typeof takeFound> {
  const taken = await takeFound(options, env);
  const isNamed = options.provider !== undefined || options.model !== undefined;
  return taken.ok && options.project && !isNamed
    ? { ok: true, answers: { monthlyCents: taken.answers.monthlyCents } }
    : taken;
}

async function refused(io: Io, sentence: string): Promise<number> {
  await writeMessage(io, plainText(sentence));
  return exitCode.usage;
}

async function nextSteps({ model }: Answers, { project }: InitOptions, io: Io, home: Home): Promise<readonly string[]> {
  const loaded = await loadConfig({ env: io.env, cwd: io.cwd, home });
  const problems = loaded.ok ? [] : [...loaded.problems.map(plainText), "These have to be corrected first."];
  if (project)
    return [
      ...problems,
      ...(model === undefined ? [] : ["It names a model, which has to be trusted: sheepdog config trust"]),
      "Then: sheepdog config show --origin",
    ];
  const known = knownProviders.find(({ provider }) => provider === model?.provider);
  const key =
    model === undefined
      ? [
          `No model was found. Set a key, e.g. export ${knownProviders[0]?.usualKey}=…, or start Ollama; then: sheepdog init -y --force`,
        ]
      : known !== undefined && keyVariable(known, io.env) === undefined
        ? [`Set the key: export ${known.usualKey}=…   (${known.keysAt})`]
        : [];
  return [
    ...problems,
    ...key,
    "Is all in order?   sheepdog doctor",
    'Begin:             sheepdog run "what does this project do?"',
  ];
}
