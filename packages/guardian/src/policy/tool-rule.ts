import type { ToolKind } from "../perceive/tool-kind.ts";
import type { DetectorName } from "./detector-rungs.ts";

/** Exceptions for the tools whose name matches a glob; the first rule that matches applies. */
export interface ToolRule {
  /** `*` is any characters, `?` is one; matches the whole name, ignoring case. */
  readonly match: string;
  readonly kind?: ToolKind;
  /** Detectors that ignore these tools; `all` for every detector. */
  readonly off?: readonly DetectorName[] | "all";
  /** Multiplies the rungs: 2 is twice as patient. */
  readonly scale?: number;
}

/** The first rule that matches a tool. */
export function ruleFor({ tools }: { readonly tools: readonly ToolRule[] }, tool: string): ToolRule | undefined {
  return tools.find((rule) => matchesGlob(rule.match, tool));
}

/** Whether a name matches a glob of `*` and `?`. No pattern can make it slow: it goes back to the last star only. */
export function matchesGlob(glob: string, name: string): boolean {
  const pattern = glob.toLowerCase();
  const text = name.toLowerCase();
  let p = 0;
  let t = 0;
  let star = -1;
  let afterStar = 0;
  while (t < text.length) {
    if (pattern[p] === "*") {
      star = p++;
      afterStar = t;
    } else if (p < pattern.length && (pattern[p] === "?" || pattern[p] === text[t])) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++afterStar;
    } else {
      return false;
    }
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}
