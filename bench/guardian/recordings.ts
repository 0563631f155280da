import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

/** The lines of all unlabelled recordings in trajectory JSONL; undefined when there are none on this machine. */
export function recordingLines(): readonly string[] | undefined {
  const data = process.env["SHEEPDOG_DATA"] ?? fileURLToPath(new URL("../../../shared/data", import.meta.url));
  const folder = join(data, "unlabelled");
  if (!existsSync(folder)) return undefined;
  const files = readdirSync(folder).filter((file) => file.endsWith(".jsonl.gz"));
  const lines = files.sort().flatMap((file) => linesOf(join(folder, file)));
  return lines.length === 0 ? undefined : lines;
}

function linesOf(file: string): readonly string[] {
  const lines = gunzipSync(readFileSync(file)).toString().split("\n");
  return lines.filter((line) => line !== "").map((line) => Buffer.from(line).toString()); // not slices of the file
}
