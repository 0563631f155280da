/** The label of a run. Indexes are 0-based over its flat sequence of calls. */
export type Label =
  | { readonly verdict: "clean"; readonly note: string }
  | {
      readonly verdict: "stuck";
      readonly onset: number;
      readonly until: number;
      readonly kind: string;
      readonly note: string;
    };

/** The labels by run id; undefined for a run labelled as unclear, which no score counts. */
export function parseLabels(text: string): ReadonlyMap<string, Label | undefined> {
  const labels = new Map<string, Label | undefined>();
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const fields: Readonly<Record<string, unknown>> = JSON.parse(line);
    if (typeof fields["key"] !== "string") throw new Error(`Expected a key in line ${index + 1} of the labels.`);
    labels.set(fields["key"], toLabel(fields, index + 1));
  }
  return labels;
}

function toLabel(fields: Readonly<Record<string, unknown>>, line: number): Label | undefined {
  const { verdict, onset, until, kind, note } = fields;
  const noteText = typeof note === "string" ? note : "";
  if (verdict === "unclear") return undefined;
  if (verdict === "clean") return { verdict, note: noteText };
  if (verdict !== "stuck" || typeof onset !== "number" || typeof until !== "number")
    throw new Error(`Expected clean, unclear, or stuck with onset and until, in line ${line} of the labels.`);
  return { verdict, onset, until, kind: typeof kind === "string" ? kind : "none given", note: noteText };
}
