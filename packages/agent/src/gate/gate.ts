import type { GateReasoning } from "../protocol/gate-reasoning.ts";
import type { GateRule } from "../protocol/gate-rule.ts";
import type { CallPart } from "../protocol/messages.ts";
import type { Tool } from "../tools/tool.ts";
import type { PathLocation } from "./files/path-location.ts";

/**
 * How much harm a call could do: 0 reads, 1 writes in the workspace, 2 runs code there, 3 reaches beyond it,
 * 4 is destructive or not fully understood.
 */
export type Tier = 0 | 1 | 2 | 3 | 4;

/** The gate's decision about a call, always with a reason. */
export interface GateDecision {
  readonly tier: Tier;
  readonly decision: "allow" | "ask" | "deny";
  readonly reason: string;
  /** The principles that object or advise caution. */
  readonly principles?: readonly PrincipleFinding[];
  /** The injection and destruction patterns that were found, by name. */
  readonly patterns?: readonly string[];
  /** The files that the call would use, as far as they are known. */
  readonly paths?: readonly PathUse[];
  /** The files that it would write, absolute and without links, as far as they are known. */
  readonly writtenFiles?: readonly string[];
  /** It needs what the sandbox forbids: if it is allowed, it runs outside. */
  readonly leavesSandbox?: true;
  /** The rule of the configuration that decided. */
  readonly rule?: string;
  /** Ids of the lessons that were considered. */
  readonly lessons?: readonly string[];
  /** What a model says about the call, if it was asked. */
  readonly reasoning?: GateReasoning;
  /** What the model may do instead of a refused call, where that is known. */
  readonly instead?: string;
  /** The rule that "always allow this" would write, if there is one that is narrow enough. */
  readonly suggestion?: GateRule;
}

export type Principle =
  | "preservation"
  | "intent"
  | "proportionality"
  | "transparency"
  | "boundaries"
  | "secrets"
  | "learning";

/** What a principle says about a call. */
export interface PrincipleFinding {
  readonly principle: Principle;
  readonly verdict: "fine" | "caution" | "against";
  readonly reason: string;
}

/** A file that a call would use. */
export interface PathUse {
  /** The file that the call leads to: relative to the workspace, outside of it absolute. */
  readonly path: string;
  readonly access: "read" | "write" | "run";
  readonly location: PathLocation;
}

/** A lesson from earlier calls, as far as a gate needs it. It can make a decision stricter, never laxer. */
export interface GateLesson {
  readonly id: string;
  /** The name of the principle that it belongs to. */
  readonly principle: string;
  /** What to do differently, in a sentence. */
  readonly rule: string;
  /** From 0 to 1. */
  readonly confidence: number;
  /** The kind of call that it is about. */
  readonly action: string;
}

/** What a gate knows besides the call. */
export interface GateContext {
  readonly workspace: string;
  /** The prompt of the run. */
  readonly task?: string;
  /** Whether the agent wrote this file in this session. The path is absolute, without links. */
  wasWritten?(path: string): boolean;
  /** The tool has a sandbox. A call that needs more runs outside, see `leavesSandbox`. */
  readonly isSandboxed?: boolean;
  /** The lessons about such calls. */
  readonly lessons?: readonly GateLesson[];
}

/** Decides about each call before it is executed. */
export interface Gate {
  decide(call: CallPart, tool: Tool, context: GateContext): Promise<GateDecision>;
}
