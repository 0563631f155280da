import { globMatch } from "../protocol/glob-match.ts";

/** Finds the written files that rules do not allow. It remembers them during a run: each file is checked once. */
export interface FileRules {
  /** `files`: all files of the run so far; they begin with those of the last time. */
  others(patterns: readonly string[], files: readonly string[]): readonly string[];
}

interface Checked {
  count: number;
  readonly others: string[];
  readonly isAllowed: (components: readonly string[]) => boolean;
}

export function createFileRules(): FileRules {
  const checkedBy = new Map<readonly string[], Checked>();
  return {
    others(patterns, files) {
      const checked = checkedBy.get(patterns) ?? { count: 0, others: [], isAllowed: matchesAny(patterns) };
      checkedBy.set(patterns, checked);
      for (const path of files.slice(checked.count))
        if (path.startsWith("/") || !checked.isAllowed(path.split(/[\\/]/))) checked.others.push(path);
      checked.count = files.length;
      return checked.others;
    },
  };
}

/** Whether a path matches one of the patterns. A pattern with too many alternatives matches nothing. */
export function matchesAny(patterns: readonly string[]): (components: readonly string[]) => boolean {
  const matches = patterns.flatMap((pattern) => globMatch(pattern) ?? []);
  return (components) => matches.some((match) => match(components));
}
