import { destructivePatterns } from "../gate/risk/patterns.ts";

/** The part of a decision that tells whether its call could destroy something. */
export interface DecidedRisk {
  readonly tier?: number;
  readonly patterns?: readonly string[];
}

/** The pattern by which a call could destroy something; undefined if none of its patterns says so. */
export function destructionIn({ tier = 0, patterns = [] }: DecidedRisk): string | undefined {
  return patterns.find(
    (pattern) => destructivePatterns.has(pattern) || (pattern === "system change" && tier >= 4), // `dd`, not `docker`
  );
}
