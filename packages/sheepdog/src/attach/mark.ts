import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** An empty file that switches something on by being there, which a shell script can see without another program. */
export async function setMark(file: string, isOn: boolean): Promise<void> {
  if (!isOn) return rm(file, { force: true });
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, "", { mode: 0o600 });
}

/** Whether the file is there. */
export function hasMark(file: string): boolean {
  return existsSync(file);
}
