import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ShellArg } from "../command/shell-arg.ts";
import { optionRisk, readRisk, writeRisk } from "../files/file-access.ts";
import { followingRisk } from "../files/found-files.ts";
import { physicalPath } from "../files/path-location.ts";
import { beyond, building, highestRisk, printable, type Risk, reading, unclear } from "../risk/risk.ts";
import { anyWord, wordList } from "../risk/word-list.ts";
import { perlSubstitution } from "./languages/perl-substitution.ts";
import { assessProjectCode, type Invocation, type ProgramRule } from "./program-rule.ts";

const projectTools: readonly string[] = wordList(`
  vitest jest mocha ava tap tsc tsup tsdown rollup esbuild vite webpack parcel swc babel eslint biome prettier
  oxlint knip depcruise publint attw stylelint markdownlint markdownlint-cli2 typedoc next nuxt astro turbo
  pytest ruff mypy black flake8 isort pylint pyright sphinx-build ninja phpunit phpstan rspec rubocop
  shellcheck yamllint golangci-lint staticcheck gofmt goimports rustfmt clang-format clang-tidy cppcheck
  vue-tsc svelte-check tsd size-limit madge jscpd cspell
`);
const modules = new Set(
  wordList(`
    pytest unittest mypy ruff black flake8 isort pylint compileall py_compile build doctest venv
    tabnanny pyright sphinx
  `),
);
const nodeFlags = anyWord(`
  test test-only experimental-strip-types experimental-transform-types experimental-vm-modules experimental-sqlite
  experimental-test-coverage experimental-test-module-mocks enable-source-maps no-warnings trace-warnings
  trace-uncaught trace-deprecation expose-gc no-deprecation throw-deprecation watch
`);
const nodeSettings = anyWord(`
  test-name-pattern test-concurrency test-timeout max-old-space-size conditions stack-trace-limit
  unhandled-rejections disable-warning
`);
const nodeOptions = new RegExp(`^--${nodeFlags}$|^--${nodeSettings}=.*$`);

/** Programs that run the project's own code. */
export const runningCommands: ReadonlyMap<string, ProgramRule> = new Map<string, ProgramRule>([
  ...projectTools.map((name): [string, ProgramRule] => [name, runProject]),
  ["node", (invocation) => interpreter(invocation, nodeOptions, /^(?:-v|--version|-h|--help)$/)],
  ["tsx", (invocation) => interpreter(invocation, nodeOptions, /^(?:-v|--version)$/)],
  ["ts-node", (invocation) => interpreter(invocation, /^--(?:esm|transpile-only|swc)$|^-T$/, /^(?:-v|--version)$/)],
  ["ruby", (invocation) => interpreter(invocation, /^-[cw]$|^-W\d?$/, /^(?:-v|--version)$/)],
  ["perl", perl],
  ["php", (invocation) => interpreter(invocation, /^-l$/, /^(?:-v|--version)$/)],
  ["lua", (invocation) => interpreter(invocation, /^$/, /^-v$/)],
  ["Rscript", (invocation) => interpreter(invocation, /^--vanilla$/, /^--version$/)],
  ["python", python],
  ["python3", python],
  ["bash", shell],
  ["sh", shell],
  ["dash", shell],
  ["source", activate],
  [".", activate],
]);

/** The risk of running a program by its path. */
export function localProgram(invocation: Invocation): Risk {
  const { name, scope } = invocation;
  const program = readRisk(scope, { type: "plain", value: name });
  if (isVirtualPython(invocation)) return python({ ...invocation, name: "python" });
  if (program.tier > 0)
    return highestRisk([beyond(`Runs ${printable(name)}, which is outside the workspace.`), program]);
  const paths = program.paths?.map((use) => ({ ...use, access: "run" as const })) ?? [];
  return { ...assessProjectCode(invocation), paths };
}

/** `.venv/bin/python` is a link to the python of the system. */
function isVirtualPython({ name, scope }: Invocation): boolean {
  if (!/(?:^|\/)\.?venv\/bin\/python[\d.]*$/.test(name)) return false;
  return scope.folders.every((folder) => {
    const path = physicalPath(folder, name);
    return path !== undefined && /^\/(?:usr|opt)\/(?:[\w.@-]+\/)*bin\/python[\d.]*$/.test(path);
  });
}

/** Allows arguments inside the workspace, and no program from standard input. */
function runProject(invocation: Invocation): Risk {
  if (invocation.args.some((arg) => arg.type === "plain" && arg.value === "-"))
    return unclear(`${printable(invocation.name)} would run what comes in through standard input.`, "pipe to shell");
  return assessProjectCode(invocation);
}

/** `node script.js …` runs a file of the project; code from the command line or standard input is not understood. */
function interpreter(invocation: Invocation, options: RegExp, version: RegExp): Risk {
  const { name, args, scope } = invocation;
  const risks: Risk[] = [];
  for (const [at, arg] of args.entries()) {
    if (arg.type === "found") return unclear(`What ${name} runs is known only when it runs.`, "dynamic program");
    if (arg.type !== "plain" || arg.value === "-" || arg.value === "inspect")
      return unclear(
        `What ${name} runs is known only when it runs.`,
        arg.value === "-" ? "pipe to shell" : "dynamic program",
      );
    if (at === 0 && version.test(arg.value)) return reading;
    if (name === "node" && /^(?:-c|--check)$/.test(arg.value)) continue;
    if (name === "node" && (isLoading(args[at - 1]) || isLoading(arg)) && isInstalled(invocation, args, at)) continue;
    if (!arg.value.startsWith("-")) {
      const rest = assessProjectCode({ scope, args: args.slice(at + 1) });
      return highestRisk([...risks, programRisk(invocation, arg), rest], building);
    }
    if (!options.test(arg.value))
      return unclear(
        `The option ${printable(arg.value)} makes ${name} run something other than a file of the project.`,
        "inline code",
      );
    risks.push(optionRisk(scope, arg.value));
  }
  const isTesting = args.some((arg) => arg.value === "--test");
  return isTesting
    ? highestRisk([...risks, followingRisk(scope, [], { onlyFolders: true })], building) // it looks for tests
    : unclear(`${name} would run what comes in through standard input.`, "pipe to shell");
}

const isLoading = (arg: ShellArg | undefined): boolean => /^(?:--import|-r|--require)$/.test(arg?.value ?? "");

/** `node --import tsx x.ts`: a package of the workspace is loaded first. */
function isInstalled({ scope }: Invocation, args: readonly ShellArg[], at: number): boolean {
  const { type, value = "" } = (isLoading(args[at]) ? args[at + 1] : args[at]) ?? {};
  if (type !== "plain" || !/^(?:@[\w-]+\/)?[\w-][\w.-]*(?:\/\w[\w.-]*)*$/.test(value)) return false;
  const [first = "", second = ""] = value.split("/");
  const folder = `node_modules/${first.startsWith("@") ? `${first}/${second}` : first}`;
  const file: ShellArg = { type: "plain", value: folder };
  return scope.folders.every((from) => existsSync(join(from, folder))) && readRisk(scope, file).tier === reading.tier;
}

/** A device or a file of another program is no file of the project. */
function programRisk({ name, scope }: Invocation, arg: ShellArg): Risk {
  if (arg.value.startsWith("/dev/"))
    return unclear(`${name} would run what comes in through standard input.`, "pipe to shell");
  return readRisk(scope, arg);
}

function python(invocation: Invocation): Risk {
  const { args, scope } = invocation;
  const options = /^-[uBOsSEIv]+$|^-W\w+$|^-X\w+$/;
  const at = Math.max(
    0,
    args.findIndex((arg) => arg.type !== "plain" || !options.test(arg.value)),
  );
  const [first, second, ...rest] = args.slice(at);
  if (first?.type === "plain" && first.value === "-W" && /^\w+$/.test(second?.value ?? ""))
    return python({ ...invocation, args: rest });
  if (first?.type !== "plain" || first.value !== "-m")
    return interpreter({ ...invocation, args: args.slice(at) }, options, /^(?:-V|--version|-VV)$/);
  if (second?.type === "plain" && /^(?:pip|coverage|tox)$/.test(second.value))
    return invocation.assessInner([second, ...rest]);
  if (
    second?.type === "plain" &&
    /^(?:zipfile|tarfile)$/.test(second.value) &&
    /^(?:-l|--list)$/.test(rest[0]?.value ?? "")
  )
    return highestRisk(rest.slice(1).map((arg) => readRisk(scope, arg)));
  if (second?.type === "plain" && second.value === "json.tool") return jsonTool(scope, rest);
  const isIsolated = args.slice(0, at).some(({ value }) => value.includes("I")); // it does not look in the workspace
  const isOwn = second?.type === "plain" && !isIsolated && isWorkspaceModule(invocation, second.value);
  if (second?.type !== "plain" || (!modules.has(second.value) && !isOwn))
    return beyond(`The effect of the module ${printable(second?.value ?? "")} is not known.`, "unknown program");
  return runProject({ ...invocation, args: rest });
}

/** `python -m app.main` runs a file of the project, if there is one. Python looks in the current folder first. */
function isWorkspaceModule({ scope }: Invocation, module: string): boolean {
  if (!/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/.test(module)) return false;
  const path = module.replaceAll(".", "/");
  return scope.folders.every((folder) =>
    [`${path}.py`, `${path}/__main__.py`].some(
      (file) => existsSync(join(folder, file)) && readRisk(scope, { type: "plain", value: file }).tier === reading.tier,
    ),
  );
}

/** Its second operand is a file that it writes. */
function jsonTool(scope: Invocation["scope"], args: readonly ShellArg[]): Risk {
  const files = args.filter((arg) => !(arg.type === "plain" && /^--?[a-z]/.test(arg.value)));
  const [input, output, ...others] = files;
  if (others.length > 0) return unclear("Has too many arguments to be understood.", "unknown option");
  return highestRisk(
    [
      ...(input === undefined ? [] : [readRisk(scope, input)]),
      ...(output === undefined ? [] : [writeRisk(scope, output)]),
    ],
    building,
  );
}

/** Replaces text, or runs a file of the project. */
function perl(invocation: Invocation): Risk {
  return perlSubstitution(invocation) ?? interpreter(invocation, /^-[wT]$/, /^(?:-v|--version)$/);
}

/** `source .venv/bin/activate` runs a script of the project, which puts its programs in front of the others. */
function activate({ name, args, scope }: Invocation): Risk {
  const [script, ...others] = args;
  const isShort = script !== undefined && script.value.length < 200;
  if (
    script?.type !== "plain" ||
    !isShort ||
    others.length > 0 ||
    !/(?:^|\/)\.?\w*env\w*\/bin\/activate$/.test(script.value)
  )
    return unclear(`${name} changes what the shell does, or runs code that is known only when it runs.`, "eval");
  return highestRisk([readRisk(scope, script)], building);
}

/** What other shells than bash read as something else: there `[[ a || b ]]` runs b, and `[[ a > b ]]` writes to b. */
const notationOfBash = /\[\[|\$['"]|&>|\{[^\s{]*,/;

/** `bash script.sh` runs a file of the project, `bash -c "…"` the script in its argument. */
function shell(invocation: Invocation): Risk {
  const [first, second] = invocation.args;
  if (invocation.args.some((arg) => arg.value.startsWith("+")))
    return unclear("Changes options of the shell in a way that is not understood.", "unknown option");
  if (first?.type === "plain" && /^-[leux]*c$/.test(first.value)) {
    if (invocation.name !== "bash" && notationOfBash.test(second?.value ?? ""))
      return unclear(`${printable(invocation.name)} reads a notation of bash in another way.`, "unsupported syntax");
    return second?.type === "plain" && invocation.args.length === 2
      ? invocation.assessScript(second.value)
      : unclear("The script of the shell is known only when it runs.", "dynamic program");
  }
  if (first?.type === "plain" && first.value === "-n" && second !== undefined)
    return highestRisk(invocation.args.slice(1).map((arg) => readRisk(invocation.scope, arg)));
  const isStrict = first?.value === "-euo" && second?.value === "pipefail";
  const rest = isStrict ? { ...invocation, args: invocation.args.slice(2) } : invocation;
  return interpreter(rest, /^-[euxl]+$|^--(?:login|norc|noprofile)$/, /^--version$/);
}
