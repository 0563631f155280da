import { type Call, pathOf } from "./call.ts";

/** A file that the run read or changed. */
export interface FileUse {
  readonly path: string;
  readonly reads: number;
  readonly edits: number;
  readonly added: number;
  readonly removed: number;
  /** The newest call about it. */
  readonly seq: number;
  readonly at: number;
}

/** The files of a run: those that were changed first, then by path. */
export function filesOf(calls: readonly Call[]): readonly FileUse[] {
  const files = new Map<string, FileUse>();
  for (const { kind, input, diff, isFailed, refusedBy, seq, at } of calls) {
    const path = diff?.path ?? (kind === "run" ? undefined : pathOf(input));
    if (path === undefined || isFailed || refusedBy !== null) continue;
    const known = files.get(path) ?? { path, reads: 0, edits: 0, added: 0, removed: 0, seq, at };
    const isEdit = kind === "edit" || diff !== null;
    files.set(path, {
      path,
      reads: known.reads + (isEdit ? 0 : 1),
      edits: known.edits + (isEdit ? 1 : 0),
      added: known.added + (diff?.lines.filter(({ sign }) => sign === "+").length ?? 0),
      removed: known.removed + (diff?.lines.filter(({ sign }) => sign === "-").length ?? 0),
      seq,
      at,
    });
  }
  return [...files.values()].sort(
    (a, b) => Number(b.edits > 0) - Number(a.edits > 0) || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0),
  );
}
