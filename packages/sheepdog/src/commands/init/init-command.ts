import { existsSync } from "node:fs";
import { join } from "node:path";
import { keyVariable, knownProviders } from "../../compose/provider/known-providers.ts";
import { type Edit, editFile } from "../../config/edit-file.ts";
import { loadConfig, projectFileName } from "../../config/load-config.ts";
import { exitCode } from "../../exit-code.ts";
import { resolveHome } from "../../home.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { withProgramName } from "../../program-name.ts";
import { dollars } from "../../render/terminal/amounts.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import type { Answers } from "./answers.ts";
import { withAsker } from "./asker.ts";
import { type AddressContext, addressVariable } from "./choose-address.ts";
import { askForAnswers, type ChosenAnswers, findAnswers, type ModelFlags } from "./choose-answers.ts";
import { projectConfigText, unpricedRunTokens, userConfigText } from "./config-text.ts";
import { unlistedModelNote } from "./near-models.ts";
import { findPriceStatus } from "./price-status.ts";

/** The options of `sheepdog init`. */
export interface InitOptions extends ModelFlags {
  readonly yes?: boolean;
  readonly project?: boolean;
  readonly force?: boolean;
}

/** Creates the configuration file of the user or of a project. */
export async function initCommand(options: InitOptions, io: Io): Promise<number> {
  const home = resolveHome(io.env);
  const file = options.project ? join(io.cwd, projectFileName) : home.configFile;
  if (existsSync(file) && !options.force) return refused(io, fileExists(file));
  const isInteractive = !options.yes && !options.project;
  if (isInteractive && !(io.stdin.isTTY && io.stderr.isTTY))
    return refused(io, "there is no terminal to ask questions on; use -y to accept what is found");
  const context = { env: io.env, isPlainHttpAllowed: await isPlainHttpAllowed(io) };
  const chosen = isInteractive
    ? await withAsker(io, (ask) => askForAnswers(options, context, ask))
    : await findFileAnswers(options, context);
  if (chosen === undefined) {
    await writeMessage(io, "nothing was written");
    return exitCode.interrupted;
  }
  if (!chosen.ok) return refused(io, chosen.problem);
  const { answers } = chosen;
  const priceStatus = await findPriceStatus(answers.model);
  const text = options.project ? projectConfigText(answers) : userConfigText(answers, priceStatus);
  try {
    if (!(await writeFile(file, text, options))) return refused(io, fileExists(file));
  } catch (error) {
    await writeMessage(
      io,
      plainText(`${file} cannot be written (${error instanceof Error ? error.message : String(error)})`),
    );
    return exitCode.failed;
  }
  const isUnpriced = priceStatus === "unknown" && answers.price === undefined && !options.project;
  const lines = [
    `Created ${plainText(file)}.`,
    ...(isInteractive ? [] : [...(await modelNotes(answers)), ...budgetNotes(answers)]),
    ...addressNotes(answers, io.env),
    ...(isUnpriced ? unpricedNotes(answers) : []),
    ...(await nextSteps(answers, options, io)),
  ];
  await write(io.stdout, lines.map((line) => `${withProgramName(line, io.env)}\n`).join(""));
  return exitCode.done;
}

/** The setting in the environment and the files, also in a file that is about to be replaced. */
async function isPlainHttpAllowed({ env, cwd }: Io): Promise<boolean> {
  const loaded = await loadConfig({ env, cwd, home: resolveHome(env) });
  return loaded.ok && loaded.config.security.allow_plain_http;
}

/** Says if the provider does not list the model. At a terminal, the question for the model has said so. */
async function modelNotes({ model }: Answers): Promise<readonly string[]> {
  const note = await unlistedModelNote(model);
  return note === undefined ? [] : [plainText(note)];
}

/** Says which limit was set without a question, and how to change it. */
function budgetNotes({ monthlyCents }: Answers): readonly string[] {
  if (monthlyCents === 0) return [];
  return [`Runs may spend ${dollars(monthlyCents / 100)} a month. To change it: sheepdog budget set month <dollars>`];
}

/** Says what the budget counts when the price of the model is unknown. */
function unpricedNotes({ model, monthlyCents }: Answers): readonly string[] {
  const budget = monthlyCents === 0 ? "a budget" : `the budget of ${dollars(monthlyCents / 100)} a month`;
  return [
    `The price of ${plainText(model?.modelId ?? "")} is unknown, so ${budget} cannot count it. ` +
      `Each run is limited to ${unpricedRunTokens.toLocaleString("en-US")} tokens instead.`,
    "Make the budget count: set the price in the file, under [budget.pricing_overrides].",
  ];
}

function fileExists(file: string): string {
  return `${file} already exists; replace it with --force, or change single keys with: sheepdog config set`;
}

/** Writes the file; returns false if another one exists that must not be replaced. */
async function writeFile(
  file: string,
  text: string,
  { force = false, project = false }: InitOptions,
): Promise<boolean> {
  let isRefused = false;
  const edit: Edit = (content) => {
    isRefused = content !== undefined && !force;
    return isRefused ? undefined : text;
  };
  await editFile(file, edit, project ? 0o644 : 0o600);
  return !isRefused;
}

/** A project file names a model only if the flags do: other users of the project may have other keys. */
async function findFileAnswers(options: InitOptions, context: AddressContext): Promise<ChosenAnswers> {
  const found = await findAnswers(options, context);
  const isNamed = [options.provider, options.model, options.baseUrl].some((flag) => flag !== undefined);
  return found.ok && options.project && !isNamed
    ? { ok: true, answers: { monthlyCents: found.answers.monthlyCents } }
    : found;
}

async function refused(io: Io, sentence: string): Promise<number> {
  await writeMessage(io, plainText(sentence));
  return exitCode.usage;
}

const noModelHint =
  `No model was found. Set a key (export ${knownProviders[0]?.usualKey}=…) or start Ollama, ` +
  "then run: sheepdog init -y --force";

/** Says that the address of the server stays in the environment. */
function addressNotes({ model }: Answers, env: Io["env"]): readonly string[] {
  if (model === undefined || model.baseUrl !== undefined) return [];
  const variable = addressVariable(model.provider, env);
  return variable === undefined ? [] : [`The address is not in the file: it is read from ${variable}.`];
}

async function nextSteps({ model }: Answers, { project }: InitOptions, io: Io): Promise<readonly string[]> {
  const loaded = await loadConfig({ env: io.env, cwd: io.cwd, home: resolveHome(io.env) });
  const problems = loaded.ok ? [] : [...loaded.problems.map(plainText), "Correct these problems first."];
  if (project)
    return [
      ...problems,
      ...(model === undefined ? [] : ["It names a model, which needs your trust: sheepdog config trust"]),
      "To see the result: sheepdog config show --origin",
    ];
  const known = knownProviders.find(({ provider }) => provider === model?.provider);
  const isKeyMissing = known !== undefined && keyVariable(known, io.env) === undefined;
  return [
    ...problems,
    ...(model === undefined ? [noModelHint] : []),
    ...(isKeyMissing ? [`Set the key: export ${known.usualKey}=…   (${known.keysAt})`] : []),
    "Check it:  sheepdog doctor",
    'Start:     sheepdog run "what does this project do?"',
  ];
}
