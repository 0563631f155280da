import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

/** The lines of all unlabelled recordings in trajectory JSONL; undefined where there are none on this machine. */
export function recordingLines(): readonly string[] | undefined {
  const folder = join(
    process.env["SHEEPDOG_DATA"] ?? fileURLToPath(new URL("../../../shared/data", import.meta.url)),
    "unlabelled",
  );
  if (!existsSync(folder)) return undefined;
  const lines = readdirSync(folder)
    .filter((file) => file.endsWith(".jsonl.gz"))
    .sort()
    .flatMap((file) =>
      gunzipSync(readFileSync(join(folder, file)))
        .toString()
        .split("\n"),
    )
    .filter((line) => line !== "")
    .map((line) => Buffer.from(line).toString()); // a string of its own, not a slice of the whole file
  return lines.length === 0 ? undefined : lines;
}
