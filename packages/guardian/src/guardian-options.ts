import type { ToolAnnotations } from "./perceive/kind.ts";
import type { Digest } from "./perceive/print.ts";
import { type ToolKind, toolKinds } from "./perceive/tool-kind.ts";
import type { DetectorName } from "./policy/detector-rungs.ts";
import type { Policy } from "./policy/policy.ts";
import { showValue } from "./policy/show-value.ts";
import type { Intervention, Words } from "./state/intervention.ts";
import type { OpinionRequest } from "./state/opinion.ts";

/** A decision or a change inside the guardian, for logs and screens. */
export type GuardianEvent =
  | { readonly type: "intervention"; readonly intervention: Intervention }
  | { readonly type: "recovered"; readonly episode: string }
  /** A second opinion is wanted; the answer is an `opinion` signal. */
  | { readonly type: "opinion-wanted"; readonly request: OpinionRequest }
  /** A call was refused because the run has ended. */
  | { readonly type: "refused"; readonly callId: string; readonly reason: string }
  /** A detector threw and is off from now on. */
  | { readonly type: "detector-off"; readonly detector: DetectorName }
  /** A saved state could not be used as it is. */
  | { readonly type: "restored"; readonly note: string }
  /** A result was ignored: its call was refused, answered before, or is no longer in the state. */
  | { readonly type: "ignored"; readonly signal: "result" };

/** A tool as the caller knows it. */
export interface Tool {
  readonly name: string;
  readonly kind?: ToolKind;
  /** The annotations of an MCP server. */
  readonly annotations?: ToolAnnotations;
}

export interface GuardianOptions {
  /** Absent fields are taken from the default policy. */
  readonly policy?: Partial<Policy>;
  /** Milliseconds since 1970; default `Date.now`. */
  readonly now?: () => number;
  /** A value that `snapshot()` returned, as JSON.parse reads it. */
  readonly state?: unknown;
  /**
   * The state is of a run that is still going on, as when each event is another process: its calls wait for their
   * results, and its stop stays. Without it, a saved state is of a run that resumes.
   */
  readonly isOngoing?: boolean;
  /** Whether a person is watching; default false. */
  readonly attended?: boolean;
  /**
   * The name of the run. With a saved state, the same name continues its tokens, money, turns and time;
   * another name starts at zero.
   */
  readonly run?: string;
  readonly tools?: readonly Tool[];
  /** Default: a fast hash in plain JavaScript. */
  readonly digest?: Digest;
  /**
   * Removes secrets from the one line of a result that a message may quote; by default the most usual ones. Pass
   * `redactSecrets` of `@sheepdog/guardian/secrets` for the complete list.
   */
  readonly redact?: (line: string) => string;
  /** Makes the messages; default `plainWords`. */
  readonly words?: Words;
  readonly emit?: (event: GuardianEvent) => void;
}

/** Throws a TypeError about an option of the wrong type or an unknown name. */
export function checkOptions(options: unknown): void {
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw new TypeError(`Expected createGuardian() to get an object of options or nothing, got ${showValue(options)}.`);
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(optionChecks, name) ? optionChecks[name as keyof GuardianOptions] : undefined;
    if (check === undefined)
      throw new TypeError(
        `Expected the options of createGuardian() to be ${Object.keys(optionChecks).join(", ")}, got ` +
          `${showValue(name)}.`,
      );
    if (value !== undefined && !check.isValid(value))
      throw new TypeError(`Expected the option ${name} to be ${check.expected}, got ${showValue(value)}.`);
  }
}

interface OptionCheck {
  readonly expected: string;
  isValid(value: unknown): boolean;
}

const functionCheck: OptionCheck = { expected: "a function", isValid: (value) => typeof value === "function" };
const booleanCheck: OptionCheck = { expected: "true or false", isValid: (value) => typeof value === "boolean" };
const optionChecks: Record<keyof GuardianOptions, OptionCheck> = {
  policy: { expected: "a policy", isValid: (value) => typeof value === "object" && value !== null },
  now: functionCheck,
  state: { expected: "a saved state", isValid: () => true },
  isOngoing: booleanCheck,
  attended: booleanCheck,
  run: { expected: "text", isValid: (value) => typeof value === "string" },
  tools: { expected: `a list of { name, kind? } with kinds among ${toolKinds.join(", ")}`, isValid: areTools },
  digest: {
    expected: "{ name, of(text) } whose digests are made of letters, digits and _ + / = -",
    isValid: isDigest,
  },
  redact: functionCheck,
  words: functionCheck,
  emit: functionCheck,
};

function areTools(value: unknown): boolean {
  return Array.isArray(value) && value.every(isTool);
}

function isTool(value: unknown): boolean {
  const { name, kind } = (value ?? {}) as { readonly name?: unknown; readonly kind?: unknown }; // checked below
  return typeof name === "string" && (kind === undefined || toolKinds.some((known) => known === kind));
}

function isDigest(value: unknown): boolean {
  const { name, of } = (value ?? {}) as { readonly name?: unknown; readonly of?: unknown }; // checked below
  return typeof name === "string" && typeof of === "function" && /^[\w+/=-]+$/.test(String((value as Digest).of("")));
}
