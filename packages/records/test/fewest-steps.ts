import { readFileSync } from "node:fs";
import { fixturePath } from "./fixtures/home.ts";
import { readText } from "./read-text.ts";

/** Flips one bit at a time throughout a fixture. Returns the fewest steps that could still be read. */
export async function fewestSteps(path: string): Promise<number> {
  const original = readFileSync(fixturePath(path));
  let fewest = Number.POSITIVE_INFINITY;
  for (let index = 0; index < original.length; index += 53) {
    const damaged = Buffer.from(original);
    damaged.writeUInt8(damaged.readUInt8(index) ^ (1 << (index % 7)), index);
    const { runs } = await readText(damaged, path);
    fewest = Math.min(fewest, runs.flatMap((run) => run.steps).length);
  }
  return fewest;
}
