/** What readers found in a run. Indexes are 0-based over its flat sequence of calls. */
export type Label =
  | { readonly verdict: "clean"; readonly note: string }
  | {
      readonly verdict: "stuck";
      readonly onset: number;
      readonly until: number;
      readonly kind: string;
      readonly note: string;
    };

/** A line of the labels: the run it is about, and what was found. */
export interface LabelEntry {
  /** The id of the run. */
  readonly key: string;
  readonly source: string;
  /** The name of the run in its source. */
  readonly runId: string;
  /** The hash of the run that was read. */
  readonly sha256: string;
  /** Undefined for a run labelled as unclear, which no score counts. */
  readonly label: Label | undefined;
}

/** The lines of the labels by the id of their run. */
export function parseLabels(text: string): ReadonlyMap<string, LabelEntry> {
  const entries = new Map<string, LabelEntry>();
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const entry = toEntry(JSON.parse(line), index + 1);
    entries.set(entry.key, entry);
  }
  return entries;
}

type Fields = Readonly<Record<string, unknown>>;

function toEntry(fields: Fields, line: number): LabelEntry {
  const { key, source, runId, sha256 } = fields;
  if (typeof key !== "string" || typeof source !== "string" || typeof runId !== "string" || typeof sha256 !== "string")
    throw new Error(`Expected key, source, runId and sha256 in line ${line} of the labels.`);
  return { key, source, runId, sha256, label: toLabel(fields, line) };
}

function toLabel(fields: Fields, line: number): Label | undefined {
  const { verdict, onset, until, kind, note } = fields;
  const noteText = typeof note === "string" ? note : "";
  if (verdict === "unclear") return undefined;
  if (verdict === "clean") return { verdict, note: noteText };
  if (verdict !== "stuck" || typeof onset !== "number" || typeof until !== "number")
    throw new Error(`Expected clean, unclear, or stuck with onset and until, in line ${line} of the labels.`);
  return { verdict, onset, until, kind: typeof kind === "string" ? kind : "none given", note: noteText };
}
