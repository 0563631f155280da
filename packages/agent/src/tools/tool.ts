import type { Status, ToolKind } from "@sheepdog/guardian";
import type { StandardSchemaV1 } from "@standard-schema/spec";

/** A tool that a model can call. */
export interface Tool<Input = unknown> {
  /** 1 to 64 letters, digits, "_" or "-"; unique within a run. */
  readonly name: string;
  /** Tells the model what the tool does and when to use it. */
  readonly description: string;
  /** Validates the arguments of a call: any Standard Schema (zod, valibot, arktype). */
  readonly input: StandardSchemaV1<unknown, Input>;
  /** The JSON schema that the model is sent. Absent: derived from `input`, which zod and arktype support. */
  readonly jsonSchema?: JsonSchema;
  /** What a call does to the world. Absent: inferred from the tool's name and the arguments of each call. */
  readonly kind?: ToolKind | undefined;
  /**
   * The kind is a claim of the program that the tool comes from. The gate uses it only where it makes a decision
   * stricter: a call is not allowed because a server says that it only reads.
   */
  readonly isKindClaimed?: boolean;
  /** A call may destroy something that cannot be restored: only a rule with exactly the tool's name allows it. */
  readonly isDestructive?: boolean;
  /** Where the tool comes from. Absent: the embedding program declares it, and the default gate allows it. */
  readonly origin?: ToolOrigin;
  /** Running a call twice does no harm: a call that a crash interrupted may run again. */
  readonly isIdempotent?: boolean;
  /** A call that a crash interrupted is executed again under the same id, and continues where it was. */
  readonly isResumable?: boolean;
  /** The tool itself refuses to write outside the workspace, even when the user approves the call. */
  readonly isConfined?: boolean;
  /** Its calls run in a sandbox, except those that were allowed to leave it. */
  readonly isSandboxed?: boolean;
  /** When its signal is aborted, a call ends by itself, and its outcome is waited for. Absent: it is not waited for. */
  readonly endsWhenAborted?: boolean;
  /** Absent: the runtime's limit for tools. Infinity: no limit. */
  readonly timeoutMs?: number;
  /** The tool asks the user and waits for the answer for this long; Infinity: without limit. Absent: it asks nobody. */
  readonly answerTimeoutMs?: number;
  /**
   * The resources a call uses: calls that share a resource run one after the other, unless all of them only read.
   * An absolute path stands for everything below it. Absent: the call shares no resource with other calls.
   */
  touches?(input: Input): readonly string[];
  /** Executes a call. A string is the text of a successful outcome; a thrown error is a failed one. */
  run(input: Input, context: ToolContext): ToolReturn | Promise<ToolReturn>;
}

/** A JSON schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** `builtin` tools are judged by the default gate; `external` ones come from another program, such as an MCP server. */
export type ToolOrigin = "builtin" | "external";

/** What `run` receives besides the arguments. */
export interface ToolContext {
  readonly sessionId: string;
  readonly runId: string;
  readonly callId: string;
  /** Absolute. Tools resolve paths against it, and built-in tools write nowhere else. */
  readonly workspace: string;
  /** Aborted when the run ends or the tool's time is up. */
  readonly signal: AbortSignal;
  /** Shows what a long call writes, as it runs, to the user; the model does not get it. */
  readonly progress: (text: string) => void;
  /** The call needs what the sandbox of its tool forbids, and was allowed: it runs outside. */
  readonly leavesSandbox?: boolean;
  /** The call uses something beyond the workspace: what it returns may come from others. */
  readonly reachesBeyond?: boolean;
  /** The call was judged to run no code of the project. */
  readonly runsNoCode?: boolean;
}

/** What `run` returns. */
export type ToolReturn = string | ToolOutcome;

/** How a call ended: text for the model, details for the UI. */
export interface ToolOutcome {
  readonly status: Extract<Status, "ok" | "error" | "timeout" | "interrupted">;
  readonly content: string;
  readonly details?: unknown;
  /** The content was written by others, such as the owner of a web page: the model gets it marked as data. */
  readonly outsideSource?: string;
}

/** The outcome of a call that succeeded. */
export function ok(content: string, details?: unknown): ToolOutcome {
  return details === undefined ? { status: "ok", content } : { status: "ok", content, details };
}

/** The outcome of a call that failed; `content` tells the model what happened and what to do next. */
export function failed(content: string, details?: unknown): ToolOutcome {
  return details === undefined ? { status: "error", content } : { status: "error", content, details };
}
