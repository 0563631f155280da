import type { FlatRun } from "../flat-run.ts";

/** Another system's own code, run beside the rule that re-implements it; or why it cannot be. */
export type RealRule =
  | {
      readonly name: string;
      readonly reimplementedAs: string;
      readonly firstReaction: (run: FlatRun) => number | undefined;
    }
  | { readonly name: string; readonly reimplementedAs: string; readonly missing: string };
