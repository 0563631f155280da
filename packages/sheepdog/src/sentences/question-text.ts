import { visibleLines } from "../render/terminal/visible-lines.ts";
import type { DescribedCall } from "./call-text.ts";

/** Whether a call runs a command of the shell. A tool of another program may call its arguments what it likes. */
export function isShellCall({ tool, input }: DescribedCall): boolean {
  return tool === "bash" && typeof fieldsOf(input)["command"] === "string";
}

/**
 * A call as a user is asked about it: the command of the shell, or the tool with all its arguments. Nothing is left
 * out, and characters that would hide something are shown by their code points.
 */
export function questionText(call: DescribedCall): string {
  const { tool, input } = call;
  if (!isShellCall(call)) return [...visible(tool), ...argumentLines(input)].join("\n");
  const { command, ...others } = fieldsOf(input);
  return [...visible(String(command)), ...argumentLines(others)].join("\n");
}

function argumentLines(input: unknown): readonly string[] {
  if (input === null || input === undefined) return [];
  if (typeof input !== "object" || Array.isArray(input)) return visible(valueText(input));
  return Object.entries(input).flatMap(([name, value]) => visible(`${name}: ${valueText(value)}`));
}

function visible(text: string): readonly string[] {
  return visibleLines(text.replaceAll("\r\n", "\n"));
}

function valueText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function fieldsOf(input: unknown): Readonly<Record<string, unknown>> {
  return typeof input === "object" && input !== null ? (input as Readonly<Record<string, unknown>>) : {}; // an object
}
