/**
 * The seed of tests with random lines. It is fixed, so that a change is judged by the same lines as the one before;
 * `GATE_SEED=$RANDOM` tries others, and the message of a failure names the seed.
 */
export const randomSeed: number = Number(process.env["GATE_SEED"] ?? 18);

/** How many lines a test with thousands of cheap ones takes; `GATE_LINES=100000` tries more. */
export const randomLineCount: number = Number(process.env["GATE_LINES"] ?? 22_000);
