/** The options of the command line. */
export interface Options {
  /** Which labelled runs to print. */
  readonly show: Shown | undefined;
  /** With `--unlabelled`: how many interventions on successful runs to print. */
  readonly showCount: number;
  /** The id of a run to print. */
  readonly run: string | undefined;
  readonly isUnlabelled: boolean;
}

const shown = ["misses", "false-alarms", "early"] as const;
export type Shown = (typeof shown)[number];

/** Reads the flags. Throws when a value is missing or unknown. */
export function readOptions(flags: readonly string[]): Options {
  const flagValue = (flag: string) => (flags.includes(flag) ? flags[flags.indexOf(flag) + 1] : undefined);
  const isUnlabelled = flags.includes("--unlabelled");
  const showValue = flagValue("--show");
  const show = shown.find((name) => name === showValue);
  const showCount = Number.parseInt(showValue ?? "0", 10);
  if (flags.includes("--show") && show === undefined && !(isUnlabelled && showCount > 0))
    throw new Error(
      `Expected --show ${shown.join(", --show ")} or, with --unlabelled, --show <number>; ` +
        `got ${showValue ?? "no value"}.`,
    );
  if (flags.includes("--run") && flagValue("--run") === undefined)
    throw new Error("Expected the id of a run after --run.");
  return { show, showCount: show === undefined ? showCount : 0, run: flagValue("--run"), isUnlabelled };
}
