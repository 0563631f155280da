import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { sha256 } from "@sheepdog/records";
import { packageVersion } from "../../package-version.ts";
import type { ThreadProgram } from "../threads/work-thread.ts";
import type { ScanRequest } from "./scan-request.ts";

/** Facts are reused as long as this is the same: it depends on the program, the policy and the prices. */
export async function analysisKey({ policy, priceOverrides }: ScanRequest): Promise<string> {
  const { readProgram } = await import("./read-worker.ts");
  const parts = [packageVersion(), builtFiles(readProgram), policy, priceOverrides];
  return sha256.of(JSON.stringify(parts)).slice(0, 32);
}

/** The name of a built file has a digest of its content; the packages that it imports are recognized by their files. */
function builtFiles(program: ThreadProgram | undefined): readonly string[] {
  if (program === undefined) return [];
  const packages = ["@sheepdog/records", "@sheepdog/guardian"].map((name) => import.meta.resolve(name));
  return [program.url, ...packages.map(fileState)];
}

function fileState(url: string): string {
  const { size, mtimeMs } = statSync(fileURLToPath(url));
  return `${size} ${mtimeMs}`;
}
