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

/** A command as program, subcommand and flags, without arguments. */
interface CommandShape {
  readonly text: string;
  /** A program alone, such as `node`, says too little to learn from. */
  readonly isNarrow: boolean;
}

/** The commands of a command line. Empty if the line cannot be parsed. */
export function commandShapes(command: string): readonly CommandShape[] {
  if (command.length > MAX_CHARS) return [];
  try {
    const shapes = commandsIn(parse(command)).flatMap((each) => shapeOf(each) ?? []);
    return [...new Map(shapes.map((shape) => [shape.text, shape])).values()].slice(0, MAX_COMMANDS);
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

const anotherProgram: CommandShape = { text: "another program", isNarrow: false };

function shapeOf([name = "", ...words]: readonly string[]): CommandShape | undefined {
  const program = name.split("/").at(-1) ?? "";
  if (ignoredPrograms.has(program)) return undefined;
  if (!/^[\w.+-]{1,30}$/.test(program)) return anotherProgram;
  const wrapped = wrappers.has(program) ? words.filter((word) => !/^\d|^\w+=/.test(word)) : [];
  if (wrapped[0] !== undefined && !wrapped[0].startsWith("-")) {
    const { text, isNarrow } = shapeOf(wrapped) ?? anotherProgram;
    return { text: `${program} ${text}`, isNarrow };
  }
  const subcommand = programsWithSubcommands.has(program) ? words.find((word) => !word.startsWith("-")) : undefined;
  const isPlain = subcommand !== undefined && /^[a-z][a-z:-]{0,20}$/.test(subcommand);
  const flags = words.flatMap((word) => flagsIn(word, programsWithLetters.has(program)));
  const details = [...(isPlain ? [subcommand] : []), ...[...new Set(flags)].toSorted().slice(0, MAX_FLAGS)];
  return { text: [program, ...details].join(" "), isNarrow: details.length > 0 && !wrappers.has(program) };
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
