import type { CallPart } from "../protocol/messages.ts";
import type { Tool } from "../tools/tool.ts";
import type { PathLocation } from "./path-location.ts";

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
  /** The rule of the configuration that decided. */
  readonly rule?: string;
  /** Ids of the lessons that were considered. */
  readonly lessons?: readonly string[];
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
  /** As it stands in the call. */
  readonly path: string;
  readonly access: "read" | "write" | "run";
  readonly location: PathLocation;
}

/** What a gate knows besides the call. */
export interface GateContext {
  readonly workspace: string;
  /** Lessons about such calls, strongest first. */
  readonly lessons?: readonly GateLesson[];
}

/** What was learned from an earlier call of the same kind. */
export interface GateLesson {
  readonly id: string;
  readonly principle: string;
  readonly rule: string;
  /** From 0 to 1, now. */
  readonly confidence: number;
  readonly action: string;
}

/** Decides about each call before it is executed. */
export interface Gate {
  decide(call: CallPart, tool: Tool, context: GateContext): Promise<GateDecision>;
}
