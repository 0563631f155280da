import { forEachChild, parse, type SyntaxNode } from "unbash";

/** Programs whose first word says what they do. */
const programsWithSubcommands: ReadonlySet<string> = new Set(
  (
    "git npm pnpm yarn bun npx docker podman kubectl helm cargo go pip pip3 uv poetry apt apt-get brew dnf yum " +
    "systemctl gh glab aws gcloud az terraform make deno rails php composer gem bundle mvn gradle dotnet heroku " +
    "vercel sheepdog"
  ).split(" "),
);
/** Programs whose short flags are letters that may be joined, as in `-rf`. */
const programsWithLetters: ReadonlySet<string> = new Set(
  "rm ls cp mv ln chmod chown mkdir rmdir touch grep sed tar du df ps cat git find sort tail head".split(" "),
);
/** Programs that say nothing about what a command line does. */
const ignoredPrograms: ReadonlySet<string> = new Set("cd echo printf true false test [ : set pwd".split(" "));
/** Programs that run the command behind them. */
const wrappers: ReadonlySet<string> = new Set("sudo doas env nohup nice time timeout command exec xargs".split(" "));
const MAX_COMMANDS = 8;
const MAX_FLAGS = 6;
const MAX_CHARS = 20_000;
const MAX_NODES = 2_000;

/**
 * The commands of a command line, each as program, subcommand and flags, without arguments. Empty if the line cannot be
 * parsed.
 */
export function commandShapes(command: string): readonly string[] {
  if (command.length > MAX_CHARS) return [];
  try {
    const words = commandsIn(parse(command)).map((each) => shapeOf(each));
    return [...new Set(words.filter((shape) => shape !== undefined))].slice(0, MAX_COMMANDS);
  } catch {
    return []; // a line that is no shell syntax has no shape
  }
}

/** The words of every simple command in a syntax tree, also inside substitutions. */
function commandsIn(tree: SyntaxNode): readonly (readonly string[])[] {
  const commands: (readonly string[])[] = [];
  let nodesLeft = MAX_NODES;
  const visit = (node: SyntaxNode): void => {
    nodesLeft -= 1;
    if (nodesLeft < 0) return;
    if (node.type === "Command") commands.push([node.name?.value ?? "", ...node.suffix.flatMap(wordText)]);
    if (node.type === "CommandExpansion" && node.script !== undefined) visit(node.script);
    else forEachChild(node, visit);
  };
  visit(tree);
  return commands;
}

function wordText(part: object): readonly string[] {
  return "value" in part && typeof part.value === "string" ? [part.value] : [];
}

function shapeOf([name = "", ...words]: readonly string[]): string | undefined {
  const program = name.split("/").at(-1) ?? "";
  if (ignoredPrograms.has(program)) return undefined;
  if (!/^[\w.+-]{1,30}$/.test(program)) return "another program";
  const wrapped = wrappers.has(program) ? words.filter((word) => !/^\d|^\w+=/.test(word)) : [];
  if (wrapped[0] !== undefined && !wrapped[0].startsWith("-"))
    return `${program} ${shapeOf(wrapped) ?? "another program"}`;
  const subcommand = programsWithSubcommands.has(program) ? words.find((word) => !word.startsWith("-")) : undefined;
  const isPlain = subcommand !== undefined && /^[a-z][a-z:-]{0,20}$/.test(subcommand);
  const flags = words.flatMap((word) => flagsIn(word, programsWithLetters.has(program)));
  return [program, ...(isPlain ? [subcommand] : []), ...[...new Set(flags)].toSorted().slice(0, MAX_FLAGS)].join(" ");
}

/** The names of flags. What stands behind the name, as in `-pSECRET` or `--key=SECRET`, is left out. */
function flagsIn(word: string, hasLetters: boolean): readonly string[] {
  const long = /^--[a-z][a-z-]{0,24}(?==|$)/i.exec(word)?.[0];
  if (long !== undefined) return [long];
  const letters = /^-([a-z]+)$/i.exec(word)?.[1];
  if (letters !== undefined && hasLetters) return [...letters].map((letter) => `-${letter}`);
  const first = /^-[a-z]/i.exec(word)?.[0];
  return first === undefined ? [] : [first];
}
