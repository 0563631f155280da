import { hash } from "node:crypto";
import type { Contestant } from "../measure/rounds.ts";
import type { Input } from "./input.ts";

/** The least that tells equal calls from unequal ones: JSON and SHA-256 of the arguments and of the result. */
export function floor(): Contestant<Input> {
  return {
    name: "floor",
    run(batch) {
      for (const { args, result } of batch) {
        keep(hash("sha256", JSON.stringify(args)));
        keep(hash("sha256", JSON.stringify(result)));
      }
    },
  };
}

let kept = "";

/** Uses a value, so that no compiler may leave its making out. */
function keep(digest: string): void {
  kept = kept < digest ? digest : kept;
}
