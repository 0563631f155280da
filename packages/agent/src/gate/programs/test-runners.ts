import type { ShellArg } from "../command/shell-arg.ts";
import { building, highestRisk, printable, type Risk, unclear } from "../risk/risk.ts";
import { assessProjectCode, builder, type Invocation, type ProgramRule } from "./program-rule.ts";

/** Programs that run the tests of a project, some of them by another command. */
export const testRunners: ReadonlyMap<string, ProgramRule> = new Map<string, ProgramRule>([
  [
    "ctest",
    builder({
      options: `-VNQ -j: -R: -E: -L: -C: -I: --test-dir< --output-on-failure --verbose --parallel: --tests-regex:
        --timeout: --rerun-failed --show-only --build-config: --progress --stop-on-failure --no-tests: --repeat:`,
      maxOperands: 0,
    }),
  ],
  ["tox", tox],
  ["coverage", coverage],
  ["c8", withCoverage],
  ["nyc", withCoverage],
]);

const runTox = builder({ options: "-qvrlp: -e: -c< --recreate --skip-missing-interpreters --parallel: --develop" });

/** `tox exec` runs any command. */
function tox(invocation: Invocation): Risk {
  const [first, ...rest] = invocation.args;
  if (first === undefined) return building;
  const isSubcommand = /^(?:run|r|list|l|run-parallel|p)$/.test(first.value);
  const end = invocation.args.findIndex(({ value }) => value === "--");
  const own = isSubcommand ? rest : invocation.args;
  const risk = runTox({ ...invocation, args: own });
  const word = own.find(({ value }, at) => /^(?:exec|e|devenv|d|legacy|le)$/.test(value) && (end < 0 || at < end));
  return word === undefined
    ? risk
    : unclear(`What "tox ${printable(word.value)}" runs is not known.`, "unknown subcommand");
}

/** `coverage run -m pytest` runs python with the rest. */
function coverage(invocation: Invocation): Risk {
  const [first, ...rest] = invocation.args;
  if (first?.type === "plain" && /^(?:report|html|xml|json|lcov|combine|erase|--version)$/.test(first.value))
    return assessProjectCode({ ...invocation, args: rest });
  if (first?.type !== "plain" || first.value !== "run")
    return unclear(`What "coverage ${printable(first?.value ?? "")}" does is not known.`, "unknown subcommand");
  const command = withoutOptions(rest);
  return highestRisk([invocation.assessInner([{ type: "plain", value: "python" }, ...command])], building);
}

/** `c8 node --test` runs the rest as a command. */
function withCoverage(invocation: Invocation): Risk {
  const { args } = invocation;
  const [first] = args;
  if (first?.type === "plain" && /^(?:report|check-coverage|--version)$/.test(first.value))
    return assessProjectCode(invocation);
  const command = withoutOptions(args);
  if (command.length === 0) return unclear(`${invocation.name} has no command to run.`, "unknown option");
  return highestRisk([invocation.assessInner(command)], building);
}

function withoutOptions(args: readonly ShellArg[]): readonly ShellArg[] {
  const at = args.findIndex((arg) => !isCoverageOption(arg));
  return at < 0 ? [] : args.slice(at);
}

const isCoverageOption = ({ type, value }: ShellArg): boolean =>
  type === "plain" &&
  (/^--(?:branch|append|parallel-mode|all|silent|check-coverage)$|^-[ap]$/.test(value) ||
    /^--(?:source|omit|include|reporter|exclude|lines|branches)=[\w.,*/-]+$/.test(value));
