import type { RunRow } from "../../contract/index.ts";

/** "2 things wait for you. 2 runs work on their own." */
export function feedSummary(waiting: number, live: readonly RunRow[]): string {
  const alone = live.filter(({ waitsFor }) => waitsFor === null).length;
  const first =
    waiting === 0 ? "Nothing waits for you." : `${waiting} ${waiting === 1 ? "thing waits" : "things wait"} for you.`;
  if (alone === 0) return live.length === 0 ? `${first} Nothing is running.` : first;
  return `${first} ${alone} ${alone === 1 ? "run works on its" : "runs work on their"} own.`;
}
