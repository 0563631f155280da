/** What was asked for on the command line. */
export interface Options {
  /** Which labelled runs to print: misses, false-alarms, early. */
  readonly show: Shown | undefined;
  /** With `--unlabelled`: how many interventions on successful runs to print. */
  readonly showCount: number;
  readonly run: string | undefined;
  readonly isUnlabelled: boolean;
}

const shown = ["misses", "false-alarms", "early"] as const;
export type Shown = (typeof shown)[number];

/** Reads the flags. */
export function optionsOf(flags: readonly string[]): Options {
  const after = (flag: string) => (flags.includes(flag) ? flags[flags.indexOf(flag) + 1] : undefined);
  const isUnlabelled = flags.includes("--unlabelled");
  const wanted = after("--show");
  const show = shown.find((each) => each === wanted);
  const showCount = Number.parseInt(wanted ?? "0", 10);
  if (flags.includes("--show") && show === undefined && !(isUnlabelled && showCount > 0))
    throw new Error(
      `Expected --show ${shown.join(", --show ")} or, with --unlabelled, --show <number>; got ${wanted ?? "nothing"}.`,
    );
  if (flags.includes("--run") && after("--run") === undefined) throw new Error("Expected the id of a run after --run.");
  return { show, showCount: show === undefined ? showCount : 0, run: after("--run"), isUnlabelled };
}
