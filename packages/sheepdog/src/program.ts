import { readFileSync } from "node:fs";
import { Command, type OutputConfiguration } from "commander";
import { commandGroups } from "./commands/index.ts";
import { examplesHelp } from "./help/examples.ts";
import { exitCodesHelp } from "./help/exit-codes.ts";
import type { Io, Output } from "./io.ts";
import { packageRoot } from "./package-root.ts";
import { plainText } from "./render/terminal/plain-text.ts";
import { columnsOf, type Style, styleFor } from "./render/terminal/style.ts";
import { refuseAgent } from "./user-only-commands.ts";

/** What the program has to tell beside what its commands write: help, usage errors, and how it ended. */
export interface Told {
  say(output: Output, text: string): void;
  end(code: number): void;
}

/** The program with all its commands: what can be typed, and the help about it. */
export function createProgram(io: Io, told: Told): Command {
  const { bold } = styleFor(io.stdout, io.env);
  const program = new Command("sheepdog")
    .description(
      "Runs agents under a guardian that notices when they go in circles, stall or burn money, and brings them back on course.",
    )
    .version(version(), "-v, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .exitOverride()
    .configureHelp({ styleTitle: bold, subcommandTerm: termOf, minWidthToWrap: 20 })
    .configureOutput(outputOf(io, told))
    .hook("preAction", (_, command) => refuseAgent(command, io));
  for (const [title, group] of Object.entries(commandGroups)) {
    program.commandsGroup(`${title}:`);
    for (const addTo of group) addTo(program, { io, setExitCode: told.end });
  }
  program.helpCommand("help [command]", "print the help of a command");
  for (const command of program.commands) addExamples(command, bold);
  return program.addHelpText("after", `\n${exitCodesHelp(bold)}\n\n${bold("Begin with:")} sheepdog demo`);
}

/** Commands are listed by their names, those of a command with what they take: there is room for it. */
function termOf(command: Command): string {
  const taken = command.parent?.parent
    ? command.registeredArguments.map((argument) =>
        argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
      )
    : [];
  return [command.name(), ...taken].join(" ");
}

function addExamples(command: Command, bold: Style["bold"]): void {
  const parts = [examplesHelp(command.name(), bold), command.name() === "run" ? exitCodesHelp(bold) : undefined];
  for (const part of parts) if (part !== undefined) command.addHelpText("after", `\n${part}`);
}

/** Longer lines are hard to read; and so the help can be laid out when it is built. */
const WIDEST = 80;

/** Help is as wide as the terminal, up to a point; errors are sentences like all others, whatever was typed. */
function outputOf(io: Io, { say }: Told): OutputConfiguration {
  const width = Math.min(columnsOf(io.stdout, io.env), WIDEST);
  return {
    writeOut: (text) => say(io.stdout, text),
    writeErr: (text) => say(io.stderr, text),
    getOutHelpWidth: () => width,
    getErrHelpWidth: () => width,
    getOutHasColors: () => true, // the style knows
    outputError: (text, write) => write(`${sentence(text)}\n`),
  };
}

const LONGEST = 400;

function sentence(text: string): string {
  const said = plainText(text.replace(/^error: /, "")).replace(
    /^unknown command '[^']*'$/,
    "$&; sheepdog --help lists them",
  );
  return `sheepdog: ${said.length > LONGEST ? `${said.slice(0, LONGEST)}…` : said}`;
}

function version(): string {
  const { version } = JSON.parse(readFileSync(new URL("package.json", packageRoot), "utf8")) as { version: string }; // our own package.json
  return version;
}
