import type { Reactions } from "../rules/rule.ts";

/** The code of another system, to run beside the rule that re-implements it; or why it cannot be run. */
export type RealRule =
  | { readonly name: string; readonly reimplementedAs: string; readonly reactions: Reactions }
  | { readonly name: string; readonly reimplementedAs: string; readonly missing: string };
