/** An argument of a shell command, as far as it is known before the command runs. */
export type ShellArg =
  | { readonly type: "plain"; readonly value: string }
  /** Starts in a home folder (`~`). */
  | { readonly type: "home"; readonly value: string }
  /** A file pattern (see file-pattern.ts). */
  | GlobArg
  /** Any file that a search finds. */
  | FoundArg
  /** Comes from a variable or a command; it is a single word only when quoted. */
  | { readonly type: "dynamic"; readonly value: string; readonly isQuoted: boolean };

interface GlobArg {
  readonly type: "glob";
  readonly value: string;
  /** The text before the first wildcard. */
  readonly prefix: string;
  readonly pattern: string;
  /** It is a single text: the value of a variable that a loop sets to one file after the other. */
  readonly isOne?: true;
}

/** Any file that a search finds, such as `{}` in `find src -exec cat {} +`. */
export interface FoundArg {
  readonly type: "found";
  readonly value: string;
  /** The operands of the search. */
  readonly below: readonly ShellArg[];
  /** Only regular files are found: no links and nothing that a link leads to. */
  readonly hasOnlyFiles: boolean;
  /** Patterns of the names that are found; absent: all names. */
  readonly names?: readonly string[];
  /** Found by its content, so that it is one of many. */
  readonly isSelected?: true;
  /** Only entries directly below the operands are found. */
  readonly isFlat?: true;
  /** Folders that the search leaves out, wherever they are; with `/` in front: only directly below the operands. */
  readonly excludes?: readonly string[];
  /** Those folders themselves are found, and only what is below them is not. */
  readonly findsExcluded?: true;
  /** What separates the names on their way here: names that contain it are read as something else. */
  readonly separator: "none" | "line" | "word";
}
