import type { ShellArg } from "../command/shell-arg.ts";
import { readRisk, writeRisk } from "../files/file-access.ts";
import { beyond, building, highestRisk, printable, type Risk, reading, unclear } from "../risk/risk.ts";
import { anyWord } from "../risk/word-list.ts";
import { assessProjectCode, type Invocation, type ProgramRule } from "./program-rule.ts";

const cOptions = new RegExp(
  `^-${anyWord(String.raw`
    [cSEgvMw] O\w* g\w* W(?!l,|p,|a,|rapper)[\w=+-]* std=[\w+]+ f(?!plugin|profile-use=)[\w=+-]* m[\w=.+-]* D.* U\w+
    l[\w+.-]+ [IL].* pthread shared static pedantic[\w-]* ansi rdynamic pipe MM?D? MP nostdlib
  `)}$`,
  "s",
);
const rustOptions = new RegExp(
  `^${anyWord(String.raw`
    -[gOV] --(?:edition|crate-type|crate-name|emit|test|cap-lints|target)(?:=[\w,.-]+)? -A\w* --version --explain
    -C(?:opt-level|debuginfo|panic|lto|codegen-units|target-cpu)=[\w-]+
  `)}$`,
);
const javaOptions = new RegExp(
  `^${anyWord(String.raw`
    -(?:d|cp|classpath|sourcepath|g|nowarn|verbose|source|target|encoding|version|ea|jar) -Xlint(?::[\w,-]+)?
    -Xm[xs]\d+[mgk] -D[\w.]+=[\w.-]* --(?:release|class-path|version)
  `)}$`,
);

const cargoCommands = new RegExp(
  `^(?:${anyWord("build b check c test t run r clippy fmt doc bench tree metadata clean version verify-project")}|` +
    "nextest (?:run|list))$",
);

/** Compilers and build tools: they write where their options say, and run the project's own code. */
export const compilingCommands: ReadonlyMap<string, ProgramRule> = new Map<string, ProgramRule>([
  ...["gcc", "cc", "clang", "g++", "c++", "clang++"].map((name): [string, ProgramRule] => [
    name,
    (invocation) => compiler(invocation, cOptions, /^-(?:o|MF|MT|MQ|x|std|D|I|L|include|isystem)$/),
  ]),
  [
    "rustc",
    (invocation) =>
      compiler(
        { ...invocation, args: withAttached(invocation.args, "-C") },
        rustOptions,
        /^(?:-o|--out-dir|--edition|--crate-type|--crate-name)$/,
      ),
  ],
  [
    "javac",
    (invocation) => compiler(invocation, javaOptions, /^-(?:d|cp|classpath|sourcepath|source|target|encoding)$/),
  ],
  ["java", (invocation) => compiler(invocation, javaOptions, /^-(?:cp|classpath|jar)$/)],
  ["swiftc", (invocation) => compiler(invocation, /^-(?:O\w*|g|parse-as-library)$/, /^-(?:o|module-name)$/)],
  ["make", make],
  ["gmake", make],
  ["just", (invocation) => subcommands(invocation, /^[a-z][\w-]*$|^--list$/, /^-|[^\w./:@,+-]/)],
  ["cmake", cmake],
  [
    "cargo",
    (invocation) => subcommands(invocation, cargoCommands, /^--config|^-Z|^--manifest-path=\/|^--target-dir=\//),
  ],
  [
    "go",
    (invocation) =>
      subcommands(
        invocation,
        /^(?:build|test|vet|fmt|list|version|run|doc|help|env|mod (?:verify|graph|why)|tool cover)$/,
        /^-+(?:exec|toolexec|overlay|modfile|vettool|gccgoflags|C)\b|extld|linkmode|-modcache|@|^-+mod=mod|^-[wu]$/,
      ),
  ],
  ...["gradle", "./gradlew", "gradlew"].map((name): [string, ProgramRule] => [
    name,
    (invocation) =>
      subcommands(
        invocation,
        /^(?::?[\w:-]*(?:build|test|check|assemble|compile|lint)\w*|:?[\w:-]*(?:clean|jar|tasks))$/,
        /^-I|init-script|^-D|^-P/,
      ),
  ]),
  ...["mvn", "./mvnw"].map((name): [string, ProgramRule] => [
    name,
    (invocation) =>
      subcommands(
        invocation,
        /^(?:compile|test|package|verify|clean|validate|-q|-B|-o|-DskipTests)$/,
        /^-D(?!skipTests|test=)|^-s|settings/,
      ),
  ]),
  [
    "dotnet",
    (invocation) =>
      subcommands(invocation, /^(?:build|test|run|format|clean|--version|--info)$/, /^[-/]-?p(?!roject$)/),
  ],
  ["swift", (invocation) => subcommands(invocation, /^(?:build|test|run)$/, /^-X|disable-sandbox/)],
  ["mix", (invocation) => subcommands(invocation, /^(?:test|compile|format|credo)$/, /^$/)],
  [
    "rake",
    (invocation) => subcommands(invocation, /^(?:test|spec|build|default|-T)$/, /^-[efrR]|^(?!TEST=[\w./]+$).*=/),
  ],
  ["zig", (invocation) => subcommands(invocation, /^(?:build|test|fmt|version)$/, /^$/)],
  [
    "deno",
    (invocation) => subcommands(invocation, /^(?:fmt|lint|check|test|--version)$/, /^-A|^--allow|^--config|^-c|:/),
  ],
  ["bazel", bazel],
  ["meson", (invocation) => subcommands(invocation, /^(?:setup|compile|test)$/, /^--wr/)],
  ["playwright", (invocation) => subcommands(invocation, /^test$/, /^$/)],
  ["mkdocs", (invocation) => subcommands(invocation, /^build$/, /^$/)],
]);

/** `-C opt-level=3` is written as `-Copt-level=3`. */
function withAttached(args: readonly ShellArg[], option: string): readonly ShellArg[] {
  return args.flatMap((arg, at): readonly ShellArg[] => {
    if (args[at - 1]?.value === option) return [];
    return arg.value === option ? [{ type: "plain", value: option + (args[at + 1]?.value ?? "") }] : [arg];
  });
}

/** A compiler: operands are read, `-o` is written, and options that load or run other programs are not known. */
function compiler(invocation: Invocation, options: RegExp, withValue: RegExp): Risk {
  const { name, args, scope } = invocation;
  const risks: Risk[] = [];
  if (args.length === 1 && /^--?version$|^-v$/.test(args[0]?.value ?? "")) return reading;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] as ShellArg; // `at` is within
    const { value } = arg;
    if (arg.type === "plain" && withValue.test(value)) {
      const next = args[at + 1];
      const isOutput = /^(?:-o|-d|-MF|--out-dir)$/.test(value);
      const isList = /^-(?:cp|classpath|sourcepath)$/.test(value) && next?.type === "plain";
      const files = isList ? next.value.split(":").map((path): ShellArg => ({ type: "plain", value: path })) : [next];
      for (const file of files) if (file !== undefined) risks.push((isOutput ? writeRisk : readRisk)(scope, file));
      at += 1;
    } else if (arg.type === "plain" && /^-o./.test(value))
      risks.push(writeRisk(scope, { type: "plain", value: value.slice(2) }));
    else if (arg.type === "plain" && /^-[IL]./.test(value))
      risks.push(readRisk(scope, { type: "plain", value: value.slice(2) }));
    else if (arg.type === "plain" && value.startsWith("-")) {
      if (!options.test(value))
        return unclear(`The effect of the option ${printable(value)} of ${name} is not known.`, "unknown option");
    } else if (/\/dev\/(?!null)/.test(value))
      return unclear(`${name} would compile what another command prints.`, "pipe to shell");
    else if (value.startsWith("@")) return unclear(`${name} would read options from a file.`, "file list");
    else risks.push(readRisk(scope, arg));
  }
  return highestRisk(risks, building);
}

const makeOptions = new RegExp(
  `^${anyWord(String.raw`
    -[skBnCfidw]+ -[jl]\d* -[Cf].+ --jobs(?:=\d+)? --(?:directory|file)=.* --output-sync.*
    --(?:silent|keep-going|always-make|dry-run|no-print-directory|help|version)
  `)}$`,
);

/** A variable with a number or a switch; other values could be commands. */
const makeVariable = new RegExp(
  `^(?!SHELL|MAKE|CC|CXX|LD|AR|RM|.*FLAGS)[A-Z_]+=(?:[\\d.]+|${anyWord(`
    y n yes no on off true false debug release dev test prod
  `)})$`,
  "i",
);

function make(invocation: Invocation): Risk {
  const args = invocation.args.filter(({ value }) => !/^-j"?\$\(nproc\)"?$/.test(value));
  const isUnknownVariable = (arg: ShellArg) =>
    arg.type === "plain" && /^[^-].*=/.test(arg.value) && !makeVariable.test(arg.value);
  if (args.some(isUnknownVariable))
    return unclear("Sets a variable of make, which can name any command.", "environment injection");
  if (args.some((arg) => /^(?:-|-f-|--(?:file|makefile)=-)$/.test(arg.value) || arg.value.includes("/dev/")))
    return unclear("make would run what comes in through standard input.", "pipe to shell");
  const unknown = args.find((arg) => arg.type === "plain" && /^-./.test(arg.value) && !makeOptions.test(arg.value));
  if (unknown !== undefined)
    return unclear(`The effect of the option ${printable(unknown.value)} of make is not known.`, "unknown option");
  return assessProjectCode({ ...invocation, args });
}

const cmakeOptions = new RegExp(
  `^-(?:[SBG]|[SBG].+|j\\d*)$|^--${anyWord(`
    build target config parallel clean-first verbose version preset fresh
  `)}(?:=.*)?$`,
);

/** Settings of cmake that name no program. */
const cmakeSetting = new RegExp(
  `^-D(?:(?!CMAKE_)\\w+|CMAKE_${anyWord(`
    BUILD_TYPE EXPORT_COMPILE_COMMANDS CXX_STANDARD C_STANDARD VERBOSE_MAKEFILE POSITION_INDEPENDENT_CODE
    COLOR_DIAGNOSTICS
  `)})(?::\\w+)?=[\\w.+-]*$`,
);

function cmake(invocation: Invocation): Risk {
  const args = withAttached(invocation.args, "-D");
  const end = args.findIndex(({ value }) => value === "--");
  const own = end < 0 ? args : args.slice(0, end);
  const unknown = own.find(
    (arg) =>
      arg.type !== "plain" ||
      (arg.value.startsWith("-D") ? !cmakeSetting.test(arg.value) : isUnknownOption(arg.value, cmakeOptions)),
  );
  if (unknown !== undefined)
    return unclear(`The effect of the option ${printable(unknown.value)} of cmake is not known.`, "unknown option");
  const rest = end < 0 ? reading : make({ ...invocation, args: args.slice(end + 1) });
  return highestRisk([assessProjectCode({ ...invocation, args: own }), rest]);
}

const isUnknownOption = (value: string, known: RegExp): boolean => value.startsWith("-") && !known.test(value);

/** `//lib:all` and `//...` name targets of the project. */
function bazel(invocation: Invocation): Risk {
  const args = invocation.args.filter(({ type, value }) => type !== "plain" || !/^-?\/\/[\w/.:+-]*$/.test(value));
  return subcommands({ ...invocation, args }, /^(?:build|test|query|version)$/, /^--(?:run_under|script_path)|^@/);
}

/** Programs whose further arguments are goals as well. */
const takesGoals = /(?:^|\/)(?:mvnw?|gradlew?|rake)$/;

/** A program with subcommands, of which some only build. */
function subcommands(invocation: Invocation, harmless: RegExp, unknownArgs: RegExp): Risk {
  const { name, args } = invocation;
  const isOwnOption = (arg: ShellArg, index: number): boolean =>
    /^(?:-q|-B|-o|--quiet|--offline|\+\w+|-am|-pl)$/.test(arg.value) || args[index - 1]?.value === "-pl";
  const at = args.findIndex((arg, index) => !isOwnOption(arg, index));
  const first = args[Math.max(0, at)];
  if (first?.type === "plain" && /^(?:-V|--?version)$/.test(first.value)) return reading;
  const [second] = args.slice(Math.max(0, at) + 1);
  const isKnown =
    first?.type === "plain" && (harmless.test(first.value) || harmless.test(`${first.value} ${second?.value ?? ""}`));
  if (!isKnown)
    return beyond(
      `What "${name} ${printable(first?.value ?? "")}" does may reach beyond the workspace.`,
      "unknown subcommand",
    );
  const others = args
    .slice(Math.max(0, at) + 1)
    .filter((arg, index, all) => !arg.value.startsWith("-") && !/^(?:--tests|-pl)$/.test(all[index - 1]?.value ?? ""));
  const goal = takesGoals.test(name)
    ? others.find((arg) => !harmless.test(arg.value) && !arg.value.includes("="))
    : undefined;
  if (goal !== undefined)
    return beyond(`What "${name} ${printable(goal.value)}" does may reach beyond the workspace.`, "unknown subcommand");
  const unknownArg = args.slice(1).find((arg) => unknownArgs.test(arg.value));
  if (unknownArg !== undefined)
    return unclear(`The effect of ${printable(unknownArg.value)} on ${name} is not known.`, "unknown option");
  return assessProjectCode({ ...invocation, args: args.slice(Math.max(0, at) + 1) });
}
