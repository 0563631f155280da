/** What `--explain` can explain. */
export const explanations = ["findings", "cost"] as const;

/** One of them. */
export type Explanation = (typeof explanations)[number];

/** An explanation, and the path that the parser of options took for its name. */
interface ChosenExplanation {
  readonly explain?: Explanation;
  readonly path?: string;
}

/** Reads the value of `--explain [what]`: in `analyze --explain runs.jsonl`, the word after it is a path. */
export function chosenExplanation(value: string | boolean | undefined): ChosenExplanation {
  if (value === undefined || value === false) return {};
  const explain = value === true ? "findings" : explanations.find((name) => name === value);
  return explain === undefined ? { explain: "findings", path: String(value) } : { explain };
}
