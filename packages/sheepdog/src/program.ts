import { readFileSync } from "node:fs";
import { Command, type OutputConfiguration } from "commander";
import { commandGroups } from "./commands/index.ts";
import { attendedHelp } from "./help/attended.ts";
import { examplesHelp } from "./help/examples.ts";
import { exitCodesHelp } from "./help/exit-codes.ts";
import { usageSentence } from "./help/usage-sentence.ts";
import type { Io, Output } from "./io.ts";
import { packageRoot } from "./package-root.ts";
import { plainText } from "./render/terminal/plain-text.ts";
import { columnsOf, type Style, styleFor } from "./render/terminal/style.ts";
import { refuseAgent } from "./user-only-commands.ts";

/** Receives what the program itself produces: help, usage errors, and the exit code of the command. */
export interface ProgramOutput {
  print(output: Output, text: string): void;
  setExitCode(code: number): void;
}

const description =
  "Runs AI agents under a guardian. It notices when an agent goes in circles, stalls or wastes money, and steers it " +
  "back on course.";

/** Creates the program with all its commands and their help. */
export function createProgram(io: Io, output: ProgramOutput): Command {
  const { bold } = styleFor(io.stdout, io.env);
  const program = new Command("sheepdog")
    .description(description)
    .version(version(), "-v, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .enablePositionalOptions()
    .exitOverride()
    .configureHelp({ styleTitle: bold, subcommandTerm, minWidthToWrap: 20 })
    .configureOutput(outputConfiguration(io, output))
    .hook("preAction", (_, command) => refuseAgent(command, io));
  for (const [title, definitions] of Object.entries(commandGroups)) {
    program.commandsGroup(`${title}:`);
    for (const define of definitions) define(program, { io, setExitCode: output.setExitCode });
  }
  program.helpCommand("help [command]", "print the help of a command");
  for (const command of program.commands) addExamples(command, bold);
  return program.addHelpText("after", `\n${exitCodesHelp(bold)}\n\n${bold("Start with:")} sheepdog demo`);
}

/** Lists commands by name, and the subcommands of a command with their arguments. */
function subcommandTerm(command: Command): string {
  const terms = command.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
  );
  return [command.name(), ...(command.parent?.parent ? terms : [])].join(" ");
}

function addExamples(command: Command, bold: Style["bold"]): void {
  const isRun = command.name() === "run";
  const parts = [examplesHelp(command.name(), bold), ...(isRun ? [attendedHelp(bold), exitCodesHelp(bold)] : [])];
  for (const part of parts) if (part !== undefined) command.addHelpText("after", `\n${part}`);
}

/** Longer lines are hard to read. The build also relies on this width (bin/sheepdog.js). */
const MAX_HELP_COLUMNS = 80;

function outputConfiguration(io: Io, { print }: ProgramOutput): OutputConfiguration {
  const width = Math.min(columnsOf(io.stdout, io.env), MAX_HELP_COLUMNS);
  return {
    writeOut: (text) => print(io.stdout, text),
    writeErr: (text) => print(io.stderr, text),
    getOutHelpWidth: () => width,
    getErrHelpWidth: () => width,
    getOutHasColors: () => true, // `styleFor` decides about colours
    outputError: (text, write) => write(`${usageError(text)}\n`),
  };
}

const MAX_ERROR_CHARS = 400;

/** A usage error of commander as one line that is safe to print. */
function usageError(text: string): string {
  const sentence = usageSentence(plainText(text.replace(/^error: /, "")));
  return `sheepdog: ${sentence.length > MAX_ERROR_CHARS ? `${sentence.slice(0, MAX_ERROR_CHARS)}…` : sentence}`;
}

function version(): string {
  const file = readFileSync(new URL("package.json", packageRoot), "utf8");
  return (JSON.parse(file) as { version: string }).version; // our own package.json
}
