/** What a run is to achieve. */
export interface Goal {
  readonly text: string;
  /** What can be checked without a model. All of them have to hold. */
  readonly criteria?: readonly Criterion[];
}

/** A test of what the agent says. */
export type Criterion = { readonly type: "OutputContains"; readonly text: string } | { readonly type: "OutputEquals"; readonly text: string };

/** Whether a text meets a criterion. */
export function isMet(criterion: Criterion, output: string): boolean {
  switch (criterion.type) {
    case "OutputContains":
      return output.includes(criterion.text);
    case "OutputEquals":
      return output.trim() === criterion.text.trim();
    default:
      return criterion satisfies never;
  }
}
