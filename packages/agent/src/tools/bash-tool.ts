import { stat } from "node:fs/promises";
import { z } from "zod";
import { type Clock, machineClock } from "../protocol/clock.ts";
import { defineTool } from "./define-tool.ts";
import { errorCode } from "./files/file-error.ts";
import { printableName } from "./printable-name.ts";
import { childEnvironment } from "./processes/child-environment.ts";
import { type CommandEnd, runCommand } from "./processes/run-command.ts";
import { failed, type Tool, type ToolOutcome } from "./tool.ts";

export interface BashToolOptions {
  /** Variables that commands get besides the harmless ones of ours. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What a command gets where the model says nothing, and what it can ask for at most. */
  readonly timeoutMs?: number;
  readonly maxTimeoutMs?: number;
  /** How long processes may take to end by themselves. */
  readonly graceMs?: number;
  readonly limits?: CommandLimits;
  readonly maxOutputBytes?: number;
  readonly clock?: Pick<Clock, "sleep">;
}

/** What a command may use, enforced by the system. Absent: as the system has it. */
interface CommandLimits {
  /** The size of any file it writes. */
  readonly fileMb?: number;
  /** The address space of each process; some programs reserve far more than they use. */
  readonly memoryMb?: number;
  /** Processes of the user, all others of the same user included. */
  readonly processes?: number;
}

const mostCommandBytes = 100_000;

/** Runs shell commands. */
export function bashTool(options: BashToolOptions = {}): Tool {
  const {
    timeoutMs: usualMs = 120_000,
    maxTimeoutMs = 600_000,
    graceMs = 2_000,
    maxOutputBytes = 512 * 1024 * 1024,
    clock = machineClock,
  } = options;
  const { limits = { fileMb: 16_384 }, environment = {} } = options;
  return defineTool({
    name: "bash",
    description:
      "Runs a command with bash in the workspace and shows what it wrote (output and errors together) and its exit code. Every call starts anew: a changed folder or variable is forgotten. Nobody can answer questions: there is no input and no terminal. Whatever the command starts is ended with it, background jobs as well. To look at or change files rather use read, grep, glob, edit and write.",
    input: z.strictObject({
      command: z
        .string()
        .min(1)
        .refine((command) => !command.includes("\0"), "a command cannot hold a NUL character")
        .refine(
          (command) => Buffer.byteLength(command) <= mostCommandBytes,
          `a command can have ${mostCommandBytes} bytes: write a script to a file and run that`,
        ),
      timeoutMs: z
        .int()
        .min(1)
        .max(maxTimeoutMs)
        .optional()
        .describe(`After so many milliseconds the command is ended; ${usualMs} where nothing is said.`),
    }),
    kind: "unknown",
    timeoutMs: maxTimeoutMs + graceMs + 10_000, // the command's own limit comes first
    touches: () => ["/"],
    async run({ command, timeoutMs = usualMs }, { workspace, signal, progress }) {
      if (signal.aborted) return { status: "interrupted", content: "The command was not started." };
      const isThere = await stat(workspace).then(
        (stats) => stats.isDirectory(),
        () => false,
      );
      if (!isThere) return failed("The workspace folder is gone: the command was not started.");
      const end = await runCommand(
        [
          "bash",
          "--noprofile",
          "--norc",
          "-c",
          `${ulimits(limits)}exec bash --noprofile --norc -c "$1" bash 2>&1`,
          "bash",
          command,
        ],
        {
          cwd: workspace,
          environment: childEnvironment(process.env, environment),
          timeoutMs,
          graceMs,
          maxOutputBytes,
          signal,
          sleep: (ms, until) => clock.sleep(ms, until),
          onOutput: progress,
        },
      );
      return outcomeOf(end, timeoutMs);
    },
  });
}

/** Limits that cannot be set are left as they are. */
function ulimits({ fileMb, memoryMb, processes }: CommandLimits): string {
  const set = (option: string, value: number | undefined) =>
    value === undefined ? "" : `ulimit ${option} ${Math.ceil(value)} 2>/dev/null; `;
  return `${set("-c", 0)}${set("-f", fileMb === undefined ? undefined : fileMb * 1024)}${set("-v", memoryMb === undefined ? undefined : memoryMb * 1024)}${set("-u", processes)}`;
}

function outcomeOf(end: CommandEnd, timeoutMs: number): ToolOutcome {
  switch (end.type) {
    case "exited":
      return exited(end);
    case "timeout":
      return {
        status: "timeout",
        content: said(end.output, `[ended: it ran longer than ${timeoutMs} ms; what it did up to then is done]`),
      };
    case "aborted":
      return { status: "interrupted", content: said(end.output, "[interrupted; what it did up to then is done]") };
    case "flooded":
      return failed(said(end.output, "[ended: it wrote too much; write to a file, or use head or tail]"));
    case "unspawnable":
      return failed(`The command could not be started: ${whyUnspawnable(end.error)}.`);
    default:
      return end satisfies never;
  }
}

function exited({ code, signal, output, leftBehind }: Extract<CommandEnd, { type: "exited" }>): ToolOutcome {
  const ended = leftBehind.length === 0 ? [] : [`[processes it left running were ended: ${names(leftBehind)}]`];
  const how = signal === null ? `[exit code ${code}]` : `[ended by signal ${signal}]`;
  return { status: code === 0 ? "ok" : "error", content: said(output, ...ended, how), details: { code, signal } };
}

function names(all: readonly string[]): string {
  const few = all.slice(0, 5).map((name) => printableName(name));
  return `${few.join(", ")}${all.length > few.length ? ` and ${all.length - few.length} more` : ""}`;
}

function said(output: string, ...notes: readonly string[]): string {
  const text = output.split("\n").map(lastWritten).join("\n");
  return [...(text === "" ? [] : [text.replace(/\n$/, "")]), ...notes].join("\n");
}

/** What a terminal would show at last of a line that was written over again and again. */
function lastWritten(line: string): string {
  const end = line.endsWith("\r") ? line.length - 1 : line.length;
  return line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
}

function whyUnspawnable(error: unknown): string {
  const code = errorCode(error);
  if (code === "ENOENT") return "there is no bash on this machine";
  if (code === "EAGAIN") return "there are too many processes";
  return code === "E2BIG"
    ? "the command is too long"
    : `the system refused (${code ?? "for a reason it did not name"})`;
}
