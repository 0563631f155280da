import { optionRisk, readRisk } from "./file-access.ts";
import { beyond, building, highestRisk, printable, type Risk, reading, unclear } from "./risk.ts";
import { assessArgs, type Invocation, type Rule } from "./rule.ts";
import type { ShellArg } from "./shell-arg.ts";
import { anyWord, wordList } from "./word-list.ts";

const projectTools = wordList(`
  vitest jest mocha ava tap tsc tsup tsdown rollup esbuild vite webpack eslint biome prettier oxlint knip depcruise
  publint pytest tox ruff mypy black flake8 isort pylint pyright ninja phpunit rspec rubocop
`);
const modules = new Set(
  wordList(`
    pytest unittest mypy ruff black flake8 isort pylint compileall py_compile tox build doctest json.tool
  `),
);
const nodeFlags = anyWord(`
  test test-only experimental-strip-types experimental-transform-types experimental-vm-modules experimental-sqlite
  experimental-test-coverage experimental-test-module-mocks enable-source-maps no-warnings trace-warnings
  trace-uncaught expose-gc
`);
const nodeSettings = anyWord(`
  test-reporter test-name-pattern test-concurrency test-timeout max-old-space-size conditions stack-trace-limit
`);
const nodeOptions = new RegExp(`^--${nodeFlags}$|^--${nodeSettings}=.*$`);

/** Programs that run the project's own code. */
export const runningCommands: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...projectTools.map((name): [string, Rule] => [name, runProject]),
  ["playwright", (invocation) => bySubcommand(invocation, /^test$/, /^$/)],
  ["node", (invocation) => interpreter(invocation, nodeOptions, /^(?:-v|--version)$/)],
  ["tsx", (invocation) => interpreter(invocation, nodeOptions, /^(?:-v|--version)$/)],
  ["ts-node", (invocation) => interpreter(invocation, /^--(?:esm|transpile-only|swc)$/, /^(?:-v|--version)$/)],
  ["python", python],
  ["python3", python],
  ["bash", shell],
  ["sh", shell],
  [
    "npm",
    (invocation) =>
      packageManager(invocation, /^(?:-s|-ws|-w|--silent|--workspaces|--if-present|--workspace(?:=[\w@/.-]+)?)$/),
  ],
  [
    "pnpm",
    (invocation) =>
      packageManager(invocation, /^(?:-s|-r|-w|--silent|--recursive|--if-present|--filter(?:=[\w@/.*-]+)?)$/),
  ],
  ["yarn", (invocation) => packageManager(invocation, /^(?:-s|--silent)$/)],
  ["bun", (invocation) => packageManager(invocation, /^(?:--silent)$/)],
  ["npx", npx],
  ["make", make],
  [
    "cargo",
    (invocation) =>
      bySubcommand(
        invocation,
        /^(?:build|b|check|c|test|t|run|r|clippy|fmt|doc|bench|tree|metadata|clean)$/,
        /--config|-Z/,
      ),
  ],
  [
    "go",
    (invocation) =>
      bySubcommand(invocation, /^(?:build|test|vet|fmt|list|version|run|doc)$/, /exec|overlay|modfile|vettool|@/),
  ],
  [
    "gradle",
    (invocation) =>
      bySubcommand(invocation, /^(?:build|test|check|assemble|compile\w*|clean)$/, /^-I|init-script|^-D|^-P/),
  ],
  ["mvn", (invocation) => bySubcommand(invocation, /^(?:compile|test|package|verify|clean)$/, /^-D|^-s|settings/)],
  ["dotnet", (invocation) => bySubcommand(invocation, /^(?:build|test|run|format)$/, /^[-/]p/)],
]);

/** The risk of running a program by its path. */
export function localProgram({ name, args, scope }: Invocation): Risk {
  const program = readRisk(scope, { type: "plain", value: name });
  if (program.tier > 0) return beyond(`Runs ${printable(name)}, which is outside the workspace.`);
  return assessArgs(
    { name, args, scope, assessInner: neverAssessed, assessScript: neverAssessed },
    {},
    { fileRisk: readRisk, lowest: building },
  );
}

const neverAssessed = (): Risk => unclear("Not understood.");

/** Allows arguments inside the workspace, and no program from standard input. */
function runProject(invocation: Invocation): Risk {
  if (invocation.args.some((arg) => arg.type === "plain" && arg.value === "-"))
    return unclear(`${printable(invocation.name)} would run what comes in through standard input.`);
  return assessArgs(invocation, {}, { fileRisk: readRisk, lowest: building });
}

/** `node script.js …` runs a file of the project; code from the command line or standard input is not understood. */
function interpreter(invocation: Invocation, options: RegExp, version: RegExp): Risk {
  const { name, args, scope } = invocation;
  const risks: Risk[] = [];
  for (const [at, arg] of args.entries()) {
    if (arg.type !== "plain" || arg.value === "-" || arg.value === "inspect")
      return unclear(`What ${name} runs is known only when it runs.`);
    if (at === 0 && version.test(arg.value)) return reading;
    if (name === "node" && /^(?:-c|--check)$/.test(arg.value)) continue;
    if (!arg.value.startsWith("-")) {
      return highestRisk(
        [
          ...risks,
          readRisk(scope, arg),
          assessArgs({ ...invocation, args: args.slice(at + 1) }, {}, { fileRisk: readRisk, lowest: building }),
        ],
        building,
      );
    }
    if (!options.test(arg.value))
      return unclear(
        `The option ${printable(arg.value)} makes ${name} run something other than a file of the project.`,
      );
    risks.push(optionRisk(scope, arg.value));
  }
  const isTesting = args.some((arg) => arg.value === "--test");
  return isTesting ? highestRisk(risks, building) : unclear(`${name} would run what comes in through standard input.`);
}

function python(invocation: Invocation): Risk {
  const { args } = invocation;
  const options = /^-[uBOsSEI]+$/;
  const at = Math.max(
    0,
    args.findIndex((arg) => arg.type !== "plain" || !options.test(arg.value)),
  );
  const [first, second] = args.slice(at);
  if (first?.type !== "plain" || first.value !== "-m")
    return interpreter({ ...invocation, args: args.slice(at) }, options, /^(?:-V|--version)$/);
  if (second?.type !== "plain" || !modules.has(second.value))
    return beyond(`The effect of the module ${printable(second?.value ?? "")} is not known.`);
  return runProject({ ...invocation, args: args.slice(at + 2) });
}

/** `bash script.sh` runs a file of the project, `bash -c "…"` the script in its argument. */
function shell(invocation: Invocation): Risk {
  const [first, second] = invocation.args;
  if (first?.type === "plain" && /^-l?c$/.test(first.value)) {
    return second?.type === "plain" && invocation.args.length === 2
      ? invocation.assessScript(second.value)
      : unclear("The script of the shell is known only when it runs.");
  }
  return interpreter(invocation, /^-[eux]+$/, /^--version$/);
}

const scriptNames = anyWord(`
  test t tst start stop build lint check typecheck format run run-script ls list why --version -v version vitest tsc
  jest eslint prettier biome
`);
const scripts = new RegExp(`^${scriptNames}$`);

/** `npm test`, `npm run …` run the project's scripts. Commands that fetch or publish packages reach beyond it. */
function packageManager(invocation: Invocation, options: RegExp): Risk {
  const { name, args } = invocation;
  const end = args.findIndex((arg) => arg.type === "plain" && arg.value === "--");
  const words: string[] = [];
  for (const arg of end < 0 ? args : args.slice(0, end)) {
    if (arg.type !== "plain") return unclear(`The arguments of ${name} are known only when it runs.`);
    const isForScript =
      (name === "pnpm" || name === "yarn") && words.length > (/^run(?:-script)?$/.test(words[0] ?? "") ? 1 : 0);
    if (!arg.value.startsWith("-") || isForScript || /^(?:-v|--version)$/.test(arg.value)) words.push(arg.value);
    else if (!options.test(arg.value))
      return unclear(
        `The effect of the option ${printable(arg.value)} of ${name} is not known. After "--" it goes to the script.`,
      );
  }
  const [what = ""] = words;
  if (!scripts.test(what) || (what === "version" && words.length > 1))
    return beyond(`"${name} ${printable(what)}" may fetch, publish or run packages from elsewhere.`);
  return assessArgs(invocation, {}, { fileRisk: readRisk, lowest: building });
}

/** Runs a well-known tool; other tools might be fetched, or run any code. */
function npx(invocation: Invocation): Risk {
  const { args } = invocation;
  const at = args.findIndex((arg) => !(arg.type === "plain" && /^--no(?:-install)?$/.test(arg.value)));
  const tool = args[at];
  if (tool?.type !== "plain" || tool.value.startsWith("-")) return unclear("The arguments of npx are not understood.");
  const isKnown = [...projectTools, "playwright", "tsx", "ts-node"].includes(tool.value);
  const rule = isKnown ? runningCommands.get(tool.value) : undefined;
  if (rule === undefined) return beyond(`npx may fetch ${printable(tool.value)} and run it.`);
  return rule({ ...invocation, name: tool.value, args: args.slice(at + 1) });
}

function make(invocation: Invocation): Risk {
  const isUnknownVariable = (arg: ShellArg) =>
    arg.type === "plain" &&
    arg.value.includes("=") &&
    !/^[A-Z_]+=(?:\d+|y|n|yes|no|on|off|true|false|debug|release)$/i.test(arg.value);
  if (invocation.args.some(isUnknownVariable)) return unclear("Sets a variable of make, which can name any command.");
  if (invocation.args.some((arg) => arg.value === "-"))
    return unclear("make would run what comes in through standard input.");
  return assessArgs(
    invocation,
    { options: /^-[skBnCf]+$|^-j\d*$|^--(?:silent|keep-going|always-make|dry-run|no-print-directory)$/ },
    { fileRisk: readRisk, lowest: building },
  );
}

/** A program with subcommands, of which some only build. */
function bySubcommand(invocation: Invocation, harmless: RegExp, unknownArgs: RegExp): Risk {
  const { name, args } = invocation;
  const [first] = args;
  if (first?.type === "plain" && /^(?:-V|--version)$/.test(first.value)) return reading;
  if (first?.type !== "plain" || !harmless.test(first.value))
    return beyond(`What "${name} ${printable(first?.value ?? "")}" does may reach beyond the workspace.`);
  const unknownArg = args.slice(1).find((arg) => unknownArgs.test(arg.value));
  if (unknownArg !== undefined) return unclear(`The effect of ${printable(unknownArg.value)} on ${name} is not known.`);
  return assessArgs({ ...invocation, args: args.slice(1) }, {}, { fileRisk: readRisk, lowest: building });
}
