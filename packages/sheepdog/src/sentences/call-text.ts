import { describeCall } from "../render/terminal/describe-call.ts";
import { plainText } from "../render/terminal/plain-text.ts";
import { visibleControls } from "../render/terminal/visible-lines.ts";
import { shortened } from "./shortened.ts";

/** A call as far as it is described. */
export interface DescribedCall {
  readonly tool: string;
  readonly input: unknown;
}

const MAX_CHARS = 90;

/** A call in a few words: the command of a shell, the tool and the file, or the tool and its arguments. */
export function callText({ tool, input }: DescribedCall, maxChars: number = MAX_CHARS): string {
  const command = isServerTool(tool) ? undefined : commandOf(input);
  if (command !== undefined && isWholeCommand({ tool, input })) return shortened(firstLine(command), maxChars);
  const path = pathOf(input);
  if (path !== undefined) {
    const action = command === undefined ? "" : ` ${firstLine(command)}`;
    return shortened(lineText(`${tool}${action} ${path}`), maxChars);
  }
  return shortened(describeCall({ name: tool, args: input }), maxChars);
}

const shellWords = /shell|bash|terminal|exec|command|cmd|console|script|run/i;

/** Whether a command says what the call does: that of a shell does, `view` of an editor does not. */
export function isWholeCommand({ tool, input }: DescribedCall): boolean {
  return shellWords.test(tool) || Object.keys(Object(input)).length === 1;
}

/** Whether a tool belongs to another program: it may call an argument `command` that is none. */
function isServerTool(tool: string): boolean {
  return tool.includes("__");
}

/** One line, in which nothing is taken for a sequence and left out. */
function lineText(text: string): string {
  return plainText(visibleControls(text));
}

/** The command of a call that runs one. */
export function commandOf(input: unknown): string | undefined {
  const command = textField(input, ["command", "cmd", "script"]);
  return command?.trim() === "" ? undefined : command;
}

/** The file that a call is about. */
export function pathOf(input: unknown): string | undefined {
  return textField(input, ["path", "file_path", "filePath", "notebook_path"]);
}

/** A text of the input under the first of these names that it has. */
export function textField(input: unknown, names: readonly string[]): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  const fields = input as Readonly<Record<string, unknown>>; // each field is checked
  const value = names.map((name) => fields[name]).find((field) => typeof field === "string" || Array.isArray(field));
  if (typeof value === "string") return value;
  return Array.isArray(value) && value.every((word) => typeof word === "string") ? value.join(" ") : undefined;
}

/** The first line that has text, with a mark if there are more. */
function firstLine(command: string): string {
  const lines = command
    .slice(0, 2_000)
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map(lineText)
    .filter((line) => line !== "");
  const [first = ""] = lines;
  return lines.length > 1 ? `${first} …` : first;
}
