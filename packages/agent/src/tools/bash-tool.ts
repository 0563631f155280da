import { stat } from "node:fs/promises";
import { constants } from "node:os";
import { z } from "zod";
import { type Clock, machineClock } from "../protocol/clock.ts";
import { defineTool } from "./define-tool.ts";
import { errorCode } from "./files/file-error.ts";
import { printableName } from "./printable-name.ts";
import { childEnvironment, gitWithoutPrograms } from "./processes/child-environment.ts";
import { type CommandEnd, runCommand } from "./processes/run-command.ts";
import { createTreeMark, setLockLimit } from "./processes/tree-mark.ts";
import { explainRefusals } from "./sandbox/explain-refusals.ts";
import { readReport } from "./sandbox/inner-script.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import { failed, type Tool, type ToolOutcome } from "./tool.ts";

export interface BashToolOptions {
  /** Variables for commands, in addition to the harmless ones of this process. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Time limit of a command unless the model sets one; default 120,000. */
  readonly timeoutMs?: number;
  /** The highest time limit that the model can set; default 600,000. */
  readonly maxTimeoutMs?: number;
  /** How long processes have between SIGTERM and SIGKILL; default 2,000. */
  readonly graceMs?: number;
  /** The largest file that a command may write, in MB; default 16,384. */
  readonly maxFileMb?: number;
  readonly maxOutputBytes?: number;
  /** Where commands run that may not reach beyond the workspace. Absent: they run without a sandbox. */
  readonly sandbox?: Sandbox;
  readonly clock?: Pick<Clock, "sleep">;
}

const maxCommandBytes = 100_000;
const cleanBash = ["bash", "--noprofile", "--norc", "-c"] as const;

/** The source of what such a command prints: a server, or files that are not part of the workspace. */
const beyond = "a command that reached beyond the workspace";

/** Runs shell commands. */
export function bashTool(options: BashToolOptions = {}): Tool {
  const { timeoutMs: defaultTimeoutMs = 120_000, maxTimeoutMs = 600_000, graceMs = 2_000 } = options;
  const { maxFileMb = 16_384, environment = {}, maxOutputBytes = 512 * 1024 * 1024 } = options;
  const { clock = machineClock, sandbox } = options;
  let lastKill = Promise.resolve(); // of commands that were aborted
  return defineTool({
    name: "bash",
    origin: "builtin",
    isSandboxed: sandbox !== undefined,
    description:
      "Runs a command with bash in the workspace and shows its output, stderr included, and its exit code. " +
      "Every call starts a new shell: changes of folder and variables are lost. There is no input and no terminal. " +
      "When the command ends, everything it started is killed, background jobs too. " +
      (sandbox === undefined ? "" : describeSandbox(sandbox)) +
      "To look at or change files, prefer read, grep, glob, edit and write.",
    input: z.strictObject({
      command: z
        .string()
        .min(1)
        .refine((command) => !command.includes("\0"), "a command cannot contain a NUL character")
        .refine(
          (command) => Buffer.byteLength(command) <= maxCommandBytes,
          `a command can have ${maxCommandBytes} bytes: write a script to a file and run that`,
        ),
      timeoutMs: z
        .int()
        .min(1)
        .max(maxTimeoutMs)
        .optional()
        .describe(`Time limit in milliseconds; default ${defaultTimeoutMs}.`),
    }),
    kind: "unknown",
    timeoutMs: maxTimeoutMs + graceMs + 10_000, // above the command's own limit, which also kills its processes
    touches: () => ["/"],
    async run({ command, timeoutMs = defaultTimeoutMs }, context) {
      const { workspace, signal, progress, leavesSandbox = false, reachesBeyond = false, runsNoCode = false } = context;
      if (signal.aborted) return { status: "interrupted", content: "The command was not started." };
      const hasWorkspace = await stat(workspace).then(
        (stats) => stats.isDirectory(),
        () => false,
      );
      if (!hasWorkspace) return failed("The workspace folder does not exist any more: the command was not started.");
      await lastKill; // until then, processes of an aborted command can change the workspace
      const usedSandbox = leavesSandbox ? undefined : sandbox;
      const git = usedSandbox?.protectGit(workspace) ?? {
        notes: sandbox?.undoForgery(workspace) ?? [],
        finish: () => [],
      };
      const mark = createTreeMark();
      const start: CommandStart = {
        setup: setLockLimit(mark) + ulimits(maxFileMb),
        command,
        workspace,
        environment: childEnvironment(process.env, {
          workspace,
          isOutsideSandbox: sandbox !== undefined && leavesSandbox,
          added: runsNoCode ? { ...environment, ...gitWithoutPrograms } : environment,
        }),
      };
      const started = usedSandbox === undefined ? plainStart(start) : sandboxedStart(start, usedSandbox);
      const end = await runCommand(started.argv, {
        cwd: workspace,
        environment: started.environment,
        timeoutMs,
        graceMs,
        maxOutputBytes,
        signal,
        sleep: (ms, wakeSignal) => clock.sleep(ms, wakeSignal),
        onOutput: progress,
        mark,
        isSandbox: usedSandbox !== undefined,
      });
      if (usedSandbox === undefined) {
        const outcome = withEndNotes(toOutcome(end, timeoutMs), git.notes);
        return reachesBeyond && end.type !== "unspawnable" ? { ...outcome, outsideSource: beyond } : outcome;
      }
      if (end.type === "aborted") {
        const finish = () => void git.finish();
        // An error appears in the next command, which looks at the same files.
        lastKill = Promise.all([lastKill, end.killed])
          .then(finish)
          .catch(() => undefined);
        return withEndNotes(toOutcome(end, timeoutMs), git.notes);
      }
      return withEndNotes(sandboxedOutcome(end, timeoutMs, usedSandbox), [...git.notes, ...git.finish()]);
    },
  });
}

/** Tells the model what not to try. Commands that need more are asked about, and then run outside. */
function describeSandbox({ hosts }: Sandbox): string {
  const network = hosts.length === 0 ? "without network" : `with a proxy to ${hosts.join(", ")} only`;
  return (
    `Commands run in a sandbox, ${network}: they can write to the workspace only; ` +
    "the home folder and /tmp are empty in each call. "
  );
}

interface CommandStart {
  /** Shell statements that run before the command. */
  readonly setup: string;
  readonly command: string;
  readonly workspace: string;
  readonly environment: Readonly<Record<string, string>>;
}

type StartedCommand = ReturnType<Sandbox["wrap"]>;

function plainStart({ setup, command, environment }: CommandStart): StartedCommand {
  return {
    argv: [...cleanBash, `${setup}exec ${cleanBash.join(" ")} "$1" bash 2>&1`, "bash", command],
    environment,
  };
}

function sandboxedStart({ setup, command, ...rest }: CommandStart, sandbox: Sandbox): StartedCommand {
  return sandbox.wrap({ ...rest, setup, argv: [...cleanBash, command, "bash"] });
}

/** No memory dumps, and no file above a size. A limit that cannot be set is ignored. */
function ulimits(maxFileMb: number): string {
  return `ulimit -c 0 2>/dev/null; ulimit -f ${Math.ceil(maxFileMb * 1024)} 2>/dev/null; `;
}

function toOutcome(end: CommandEnd, timeoutMs: number): ToolOutcome {
  switch (end.type) {
    case "exited":
      return exitedOutcome(end);
    case "timeout": {
      const note = `[stopped: it ran longer than ${timeoutMs} ms; its effects up to then remain]`;
      return { status: "timeout", content: withNotes(end.output, note) };
    }
    case "aborted": {
      const note = "[interrupted; its effects up to then remain]";
      return { status: "interrupted", content: withNotes(end.output, note) };
    }
    case "flooded":
      return failed(
        withNotes(end.output, "[stopped: its output was too long; write it to a file, or use head or tail]"),
      );
    case "unspawnable":
      return failed(`The command could not be started: ${describeSpawnError(end.error)}.`);
    default:
      return end satisfies never;
  }
}

/** The outcome of a command in the sandbox, with a sentence about what the sandbox refused. */
function sandboxedOutcome(end: CommandEnd, timeoutMs: number, sandbox: Sandbox): ToolOutcome {
  if (end.type !== "exited") return toOutcome(end, timeoutMs);
  const { leftBehind, isKilledBySignal, startError } = readReport(end.report);
  if (startError !== undefined)
    return failed(`The sandbox of the command could not be started (${startError}): the command was not run.`);
  const signal = isKilledBySignal ? signalOf(end.code) : undefined;
  const outcome = exitedOutcome({
    ...end,
    leftBehind,
    ...(signal === undefined ? {} : { code: null, signal }),
  });
  const notes = end.code === 0 ? [] : explainRefusals(end.output, sandbox);
  return withEndNotes(outcome, notes);
}

function withEndNotes(outcome: ToolOutcome, notes: readonly string[]): ToolOutcome {
  return { ...outcome, content: [outcome.content, ...notes.map((note) => `[${note}]`)].join("\n") };
}

/** A shell adds 128 to the number of the signal that ended a program. */
function signalOf(code: number | null): NodeJS.Signals | undefined {
  const entry = Object.entries(constants.signals).find(([, number]) => number === (code ?? 0) - 128);
  return entry?.[0] as NodeJS.Signals | undefined; // the keys of the table are names of signals
}

function exitedOutcome({ code, signal, output, leftBehind }: Extract<CommandEnd, { type: "exited" }>): ToolOutcome {
  const killed = leftBehind.length === 0 ? [] : [`[processes it left running were killed: ${nameList(leftBehind)}]`];
  const exit = signal === null ? `[exit code ${code}]` : `[killed by signal ${signal}]`;
  return {
    status: code === 0 ? "ok" : "error",
    content: withNotes(output, ...killed, exit),
    details: { code, signal },
  };
}

function nameList(names: readonly string[]): string {
  const listed = names.slice(0, 5).map((name) => printableName(name));
  return `${listed.join(", ")}${names.length > listed.length ? ` and ${names.length - listed.length} more` : ""}`;
}

function withNotes(output: string, ...notes: readonly string[]): string {
  const text = output.split("\n").map(lastWritten).join("\n");
  return [...(text === "" ? [] : [text.replace(/\n$/, "")]), ...notes].join("\n");
}

/** What a terminal shows in the end of a line that a progress bar has overwritten with carriage returns. */
function lastWritten(line: string): string {
  const end = line.endsWith("\r") ? line.length - 1 : line.length;
  return line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
}

function describeSpawnError(error: unknown): string {
  const code = errorCode(error);
  if (code === "ENOENT") return "there is no bash on this machine";
  if (code === "EAGAIN") return "there are too many processes";
  if (code === "E2BIG") return "the command is too long";
  return `the system refused (${code ?? "without an error code"})`;
}
