import { dirname } from "node:path";

/** The files that a call wrote. The paths are absolute and without links; a folder stands for everything below it. */
export interface WrittenByCall {
  readonly callId: string;
  readonly paths: readonly string[];
}

/** The files that the agent wrote in this session, as far as they are known. */
export interface WrittenFiles {
  add(written: WrittenByCall): void;
  has(path: string): boolean;
  /** What a call wrote, or would have written if it had not failed. */
  byCall(callId: string): readonly string[];
}

/** `earlier`: what earlier runs of the session wrote. */
export function createWrittenFiles(earlier: readonly WrittenByCall[] = []): WrittenFiles {
  const written = new Set<string>();
  const byCall = new Map<string, readonly string[]>();
  const add = ({ callId, paths }: WrittenByCall) => {
    if (paths.length > 0) byCall.set(callId, paths);
    for (const path of paths) written.add(path);
  };
  for (const each of earlier) add(each);
  return {
    add,
    has: (path) => withParents(path).some((each) => written.has(each)),
    byCall: (callId) => byCall.get(callId) ?? [],
  };
}

function withParents(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...withParents(parent)];
}
