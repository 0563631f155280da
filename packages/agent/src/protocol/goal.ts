/** What a run has to achieve. Plain JSON: it is stored with the run. */
export interface Goal {
  readonly text: string;
  /** What counts as success. Without criteria, the model judges the answer by `text`. */
  readonly criteria?: readonly Criterion[];
  /** The weighted share of the criteria that has to be met, above 0 and at most 1; default: 1, all of them. */
  readonly threshold?: number;
  readonly constraints?: readonly Constraint[];
}

/** One condition of success. `weight`: above 0; default: 1. */
export type Criterion = { readonly weight?: number } & (
  | { readonly type: "OutputContains"; readonly text: string; readonly ignoreCase?: boolean }
  /** Spaces at the beginning and the end do not count. */
  | { readonly type: "OutputEquals"; readonly text: string }
  | CommandCheck
  | CustomCheck
  /** The model decides whether this is true. */
  | { readonly type: "LlmJudge"; readonly text: string }
);

/** A shell command in the workspace that has to succeed. It runs as the tool `bash` does, in the same sandbox. */
export interface CommandCheck {
  readonly type: "Command";
  readonly command: string;
  /** Default: the runtime's limit for tools. */
  readonly timeoutSecs?: number;
}

/** A function of the runtime's option `checks`. */
export interface CustomCheck {
  readonly type: "Custom";
  readonly name: string;
}

/** What the run has to respect on its way. */
export interface Constraint {
  /** A violated `must` prevents acceptance; a violated `should` is reported. */
  readonly level: "must" | "should";
  readonly text: string;
  /** How it is evaluated; absent: the model decides whether `text` is respected. */
  readonly rule?: ConstraintRule;
}

export type ConstraintRule =
  | { readonly type: "OutputExcludes"; readonly text: string; readonly ignoreCase?: boolean }
  | CommandCheck
  | CustomCheck
  | { readonly type: "MaxTurns"; readonly turns: number }
  | { readonly type: "MaxSeconds"; readonly seconds: number }
  /** Including subagents. */
  | { readonly type: "MaxCost"; readonly cents: number }
  /** Names of tools, with `*` for any characters. */
  | { readonly type: "ForbiddenTools"; readonly tools: readonly string[] }
  /** Patterns of paths in the workspace, such as `src/**`: no other file may be written by a tool. */
  | { readonly type: "OnlyFiles"; readonly files: readonly string[] };

/** The judge's decision: goal reached, try again with a hint, escalate to the user, or continue. */
export type Verdict =
  | { readonly type: "accept" }
  | { readonly type: "retry"; readonly hint: string }
  | { readonly type: "escalate"; readonly reason: string }
  | { readonly type: "continue" };

/** How a goal was evaluated. A value is null where nothing has been decided yet. */
export interface GoalEvaluation {
  /** The weighted share of the criteria that are met. */
  readonly score: number;
  readonly threshold: number;
  readonly criteria: readonly { readonly text: string; readonly isMet: boolean | null; readonly reason?: string }[];
  readonly constraints: readonly {
    readonly text: string;
    readonly level: Constraint["level"];
    readonly isRespected: boolean | null;
    readonly reason?: string;
  }[];
}
