import { exitCode } from "../../exit-code.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { shellWord } from "../../render/terminal/shell-word.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { decisionDocument, decisionLines } from "./decision-text.ts";
import { openGate, type PlannedCall } from "./open-gate.ts";

export interface ExplainOptions {
  readonly tool: string;
  readonly args?: string;
  readonly unattended?: true;
  readonly json?: true;
}

/** Prints what the gate would decide about a call, and why. */
export async function explainCommand(words: readonly string[], options: ExplainOptions, io: Io): Promise<number> {
  const call = readCall(words, options);
  if (typeof call === "string") {
    await writeMessage(io, plainText(call));
    return exitCode.usage;
  }
  const explain = await openGate(io, { attended: options.unattended !== true });
  if (explain === undefined) return exitCode.usage;
  const decision = explain(call);
  const lines = () =>
    decisionLines(decision, { style: styleFor(io.stdout, io.env), width: columnsOf(io.stdout, io.env) });
  await write(io.stdout, options.json ? `${jsonText(decisionDocument(decision))}\n` : `${lines().join("\n")}\n`);
  return exitCode.done;
}

/** The call, or a sentence about what is wrong. */
function readCall(words: readonly string[], { tool, args }: ExplainOptions): PlannedCall | string {
  if (args !== undefined && words.length > 0) return "give a command line or --args, not both";
  if (args === undefined)
    return words.length === 0
      ? "there is no command; write it after --, as in: sheepdog gate explain -- git push"
      : { tool, input: { command: commandLine(words) } };
  const input = parseObject(args);
  return input === undefined ? `--args ${args}: it must be a JSON object, e.g. {"path": "a.txt"}` : { tool, input };
}

/** One word is a whole command line; of several words, each is one argument, as the shell has read it. */
function commandLine(words: readonly string[]): string {
  const [only = ""] = words;
  return words.length === 1 ? only : words.map(shellWord).join(" ");
}

/** The object in a JSON text; undefined if it is none. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined; // not JSON
  }
}
