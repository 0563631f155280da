import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { isInside } from "../../protocol/is-inside.ts";
import type { ShellArg } from "../command/shell-arg.ts";
import { physicalPath } from "../files/path-location.ts";
import { beyond, building, highestRisk, printable, type Risk, unclear } from "../risk/risk.ts";
import { anyWord, wordList } from "../risk/word-list.ts";
import { assessProjectCode, type Invocation, type ProgramRule, plainArgs } from "./program-rule.ts";
import { remove } from "./write.ts";

/** Package managers: their scripts are the project's own code, and everything that fetches packages is not. */
export const packageCommands: ReadonlyMap<string, ProgramRule> = new Map<string, ProgramRule>([
  ["npm", (invocation) => packageManager(invocation)],
  ["pnpm", (invocation) => packageManager(invocation)],
  ["yarn", (invocation) => packageManager(invocation)],
  ["bun", (invocation) => packageManager(invocation)],
  ["npx", (invocation) => runPackage(invocation, invocation.args)],
  ["bunx", (invocation) => runPackage(invocation, invocation.args)],
  ["pnpx", fetching],
  ["uvx", fetching],
  ["pipx", (invocation) => environmentTool(invocation, /^(?:list|--version|environment)$/)],
  ["pip", pip],
  ["pip3", pip],
  ["poetry", (invocation) => environmentTool(invocation, /^(?:version|check|about)$/)],
  ["pipenv", (invocation) => environmentTool(invocation, /^(?:graph|--version)$/)],
  ["uv", (invocation) => environmentTool(invocation, /^(?:version|--version|tree)$/)],
  ["bundle", (invocation) => environmentTool(invocation, /^(?:list|show|check|--version)$/)],
  ["corepack", (invocation) => environmentTool(invocation, /^--version$/)],
  ["gem", (invocation) => environmentTool(invocation, /^(?:--version|environment)$/)],
  ["composer", (invocation) => environmentTool(invocation, /^(?:show|validate|test|--version)$/)],
]);

const scripts = new RegExp(
  `^${anyWord(`
    test t tst start stop restart build lint check typecheck type-check format fmt dev run run-script vitest tsc jest
    eslint prettier biome compile clean coverage e2e unit watch preview docs
  `)}$`,
);
const lookups = /^(?:ls|list|ll|la|why|explain|--version|-v|version|root|bin|prefix|help|--help|pkg|query|licenses)$/;
const executes = /^(?:exec|x|dlx|execute)$/;
/** They fetch the package even if it is installed. */
const fetches = /^(?:dlx|create|init)$/;
const options = new RegExp(
  `^(?:-[srwaq]|-ws|--${anyWord(`
    silent workspaces if-present workspace(?:=[\\w@/.-]+)? recursive filter(?:=[\\w@/.*!{}-]+)? depth(?:=\\d+)?
    long json     parseable all prod production omit=\\w+ include=\\w+ loglevel(?:=\\w+)? no-color
    color=?\\w* no-audit no-fund
    ignore-scripts parallel stream bail no-bail reporter=\\w+ offline prefer-offline dev
  `)})$`,
);

/** Commands of npm that print their help instead of running. */
const ownCommands = /^(?:outdated|install|ci|update|audit|view|publish|pack|config|ls|run|test)$/;

/** Options in front of the command whose value is a folder or a package of the workspace. */
const takesValue = /^(?:-C|--prefix|--dir|--cwd|-F|--filter|--workspace)$/;

/** `npm test`, `npm run …` run the project's scripts. Commands that fetch or publish packages reach beyond it. */
function packageManager(invocation: Invocation): Risk {
  const { name, args } = invocation;
  const words = managerWords(invocation);
  if ("tier" in words) return words;
  const [what = ""] = words;
  if (isLookup(invocation, words)) return highestRisk([assessProjectCode(invocation)], building);
  if (fetches.test(what)) return beyond(`"${name} ${what}" fetches a package and runs it.`, "download and run");
  if (executes.test(what)) return runPackage(invocation, args.slice(args.findIndex(({ value }) => value === what) + 1));
  const isYarnTool = name === "yarn" && what !== "" && installed(invocation, what) !== undefined;
  if (!scripts.test(what) && !isYarnTool)
    return beyond(
      `"${name} ${printable(what)}" may fetch, publish or run packages from elsewhere.`,
      "download and run",
    );
  const isRun = /^run(?:-script)?$/.test(what) && name !== "npm";
  const tool = isYarnTool ? what : isRun ? (words[1] ?? "") : "";
  const isTool = !scripts.test(tool) && (judgedTools.has(tool) || installed(invocation, tool) !== undefined);
  const toolArgs = args.slice(args.findIndex(({ value }) => value === tool));
  return highestRisk([assessProjectCode(invocation), ...(isTool ? [runPackage(invocation, toolArgs)] : [])]);
}

/** The words in front of `--`, without options; a risk when one of them is not understood. */
function managerWords({ name, args }: Invocation): readonly string[] | Risk {
  const end = args.findIndex((arg) => arg.type === "plain" && arg.value === "--");
  const words: string[] = [];
  for (const [at, arg] of (end < 0 ? args : args.slice(0, end)).entries()) {
    if (arg.type !== "plain")
      return unclear(`The arguments of ${name} are known only when it runs.`, "dynamic argument");
    if (executes.test(words[0] ?? "")) break;
    const isForScript = name !== "npm" && words.length > (/^run(?:-script)?$/.test(words[0] ?? "") ? 1 : 0);
    const isFolder = takesValue.test(args[at - 1]?.value ?? "") || /^--(?:prefix|dir|cwd)=/.test(arg.value);
    if (isFolder || takesValue.test(arg.value)) continue;
    if (!arg.value.startsWith("-") || isForScript || /^(?:-v|--version|--help)$/.test(arg.value)) words.push(arg.value);
    else if (!options.test(arg.value))
      return unclear(
        `The effect of the option ${printable(arg.value)} of ${name} is not known. After "--" it goes to the script.`,
        "unknown option",
      );
  }
  return words[0] === "workspace" && name === "yarn" ? words.slice(2) : words; // `yarn workspace core test`
}

/** Whether a package manager only shows something. */
function isLookup({ name, args }: Invocation, [what = "", ...rest]: readonly string[]): boolean {
  const asksHelp = name === "npm" && args.length === 2 && /^(?:-h|--help)$/.test(args[1]?.value ?? "");
  if (asksHelp && ownCommands.test(what)) return true;
  if (what === "config") return rest[0] === "get" && rest.slice(1).every((key) => /^[a-z][a-z-]*$/.test(key));
  if (what === "version") return rest.length === 0;
  if (what === "pkg") return rest[0] === "get";
  return lookups.test(what);
}

/** Installed tools that reach beyond the workspace, or run what they are given. */
const refusedTools = new Set(
  wordList(`
    gh-pages netlify vercel wrangler firebase serverless sls semantic-release release-it np changeset cdk amplify
    surge degit tiged create-react-app http-server serve localtunnel ngrok shx cross-env-shell dotenvx concurrently
    npm-run-all run-s run-p execa zx dotenv env-cmd onchange nodemon chokidar npm-check-updates ncu playwright-core
    puppeteer husky patch-package
  `),
);

/** Installed tools with rules of their own. */
const judgedTools = new Set(
  wordList(`
    node tsx ts-node playwright pip pip3 coverage tox c8 nyc npm pnpm yarn bun npx python python3 perl ruby php bash sh
  `),
);

/** Runs a package: one that is installed in the workspace, otherwise it would be fetched. */
export function runPackage(invocation: Invocation, args: readonly ShellArg[]): Risk {
  const at = args.findIndex(
    (arg) => !(arg.type === "plain" && /^(?:--no(?:-install)?|-y|--yes|--silent|-q|--bun|--)$/.test(arg.value)),
  );
  const tool = args[at];
  if (tool?.type !== "plain" || tool.value.startsWith("-"))
    return unclear(`The arguments of ${invocation.name} are not understood.`, "unknown option");
  const rest = args.slice(at + 1);
  const isOption = ({ value }: ShellArg) =>
    /^(?:--ignore-existing|--package(?:=.*)?|-p|--call(?:=.*)?|-c)$/.test(value);
  const fetchesMore = invocation.name === "npm" && args.some(isOption); // npm reads options behind the name too
  if (installed(invocation, tool.value) === undefined || fetchesMore)
    return beyond(
      `${invocation.name} may fetch ${printable(tool.value)} and run it: it is not installed in the workspace.`,
      "download and run",
    );
  if (tool.value === "rimraf" || tool.value === "del")
    return highestRisk([remove({ ...invocation, name: "rm", args: rest })], building);
  if (tool.value === "cross-env") return invocation.assessInner([{ type: "plain", value: "env" }, ...rest]);
  if (refusedTools.has(tool.value))
    return beyond(`${printable(tool.value)} may reach beyond the workspace, or run other commands.`, "unknown program");
  if (judgedTools.has(tool.value)) return invocation.assessInner([tool, ...rest]);
  if (rest.some((arg) => arg.type === "plain" && arg.value === "-"))
    return unclear(`${printable(tool.value)} would run what comes in through standard input.`, "pipe to shell");
  return assessProjectCode({ ...invocation, args: rest });
}

/** Where a package manager looks for installed tools. */
function placesOf(manager: string): readonly string[] {
  if (/^(?:npx|npm|pnpm|yarn|bun|bunx)$/.test(manager)) return ["node_modules/.bin"];
  return manager === "uv" ? [".venv/bin", "venv/bin"] : ["node_modules/.bin", ".venv/bin", "venv/bin"];
}

/** The file of a tool that is installed in the workspace, at or above each possible current folder. */
function installed({ name, scope }: Invocation, tool: string): string | undefined {
  if (!/^[\w-][\w.-]*$/.test(tool)) return undefined;
  const root = physicalPath(scope.workspace, ".") ?? scope.workspace;
  const found = scope.folders.map((from) => {
    for (let folder = from; isInside(root, folder); folder = dirname(folder)) {
      const places = placesOf(name).map((place) => join(folder, place, tool));
      const place = places.find((path) => existsSync(path) && isInside(root, physicalPath("/", path) ?? "/"));
      if (place !== undefined || folder === dirname(folder)) return place;
    }
    return undefined;
  });
  return found.every((path) => path !== undefined) ? found[0] : undefined;
}

/** It does not use what is installed in the workspace. */
function fetching({ name }: Invocation): Risk {
  return beyond(`${name} fetches a package and runs it.`, "download and run");
}

function pip({ name, args }: Invocation): Risk {
  const [what = "", ...rest] = plainArgs(args) ?? [];
  const isLookup = /^(?:list|show|freeze|check|--version|-V|debug|inspect|help)$/.test(what);
  const isLocal = rest.every((arg) =>
    /^(?:-[vqlf]+|--(?:format=\w+|verbose|quiet|local|user|files|all)|\w[\w.-]*)$/.test(arg),
  );
  return isLookup && isLocal
    ? building
    : beyond(`${name} ${printable(what)} acts outside the workspace.`, "network access");
}

/** Tools that manage an environment: `run` and `exec` run what is installed there. */
function environmentTool(invocation: Invocation, harmless: RegExp): Risk {
  const [first, ...rest] = invocation.args;
  if (first?.type === "plain" && harmless.test(first.value)) return assessProjectCode(invocation);
  const runs = first?.type === "plain" && /^(?:run|exec)$/.test(first.value) && invocation.name !== "pipx";
  if (runs && invocation.name === "uv") return runPackage(invocation, rest); // it would fetch what is missing
  if (runs && rest[0]?.type === "plain" && !rest[0].value.startsWith("-"))
    return highestRisk([invocation.assessInner(rest)], building);
  return beyond(`${invocation.name} ${printable(first?.value ?? "")} acts outside the workspace.`, "network access");
}
