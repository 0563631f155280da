import type { Status, ToolKind } from "@sheepdog/guardian";
import type { StandardSchemaV1 } from "@standard-schema/spec";

/** A tool that a model can call. */
export interface Tool<Input = unknown> {
  readonly name: string;
  /** For the model: what it does, when to use it. */
  readonly description: string;
  /** Any Standard Schema (zod, valibot, arktype), or a JSON schema with a `parse` of the caller's. */
  readonly input: StandardSchemaV1<unknown, Input>;
  /** What the model is told of the input, as JSON schema; derived from `input` where that can say it. */
  readonly jsonSchema?: Readonly<Record<string, unknown>>;
  readonly kind: ToolKind;
  /** Running it twice does no harm: a call interrupted by a crash may be run again. */
  readonly isIdempotent?: boolean;
  /** It refuses to write outside of the workspace, whoever allows it: nobody is asked about that. */
  readonly isConfined?: boolean;
  readonly timeoutMs?: number;
  /** What the call touches, so that calls on the same thing are run one after the other; an absolute path stands for all below it. Undefined: nothing others could touch. */
  touches?(input: Input): readonly string[];
  run(input: Input, context: ToolContext): Promise<ToolOutcome>;
}

/** What a tool is given to work with. */
export interface ToolContext {
  readonly sessionId: string;
  readonly runId: string;
  readonly callId: string;
  /** Absolute; paths are resolved against it, and what lies outside is refused by the tools that write. */
  readonly workspace: string;
  /** Aborted when the run is cancelled or ended, or the time is up. */
  readonly signal: AbortSignal;
  /** For people who watch: shown, not told to the model. */
  readonly progress: (text: string) => void;
}

/** What came of a call: text for the model, details for screens. */
export interface ToolOutcome {
  readonly status: Extract<Status, "ok" | "error" | "timeout" | "interrupted">;
  readonly content: string;
  readonly details?: unknown;
}

/** A call that went well. */
export function ok(content: string, details?: unknown): ToolOutcome {
  return details === undefined ? { status: "ok", content } : { status: "ok", content, details };
}

/** A call that failed: the world's doing, told to the model. */
export function failed(content: string, details?: unknown): ToolOutcome {
  return details === undefined ? { status: "error", content } : { status: "error", content, details };
}
