import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { sizeText } from "../../../render/terminal/size-text.ts";
import { type Check, fail, ok, warn } from "../finding.ts";

const little = 500_000_000;
const tooLittle = 20_000_000;

/** Whether there is room for what will be kept. */
export const diskCheck: Check = {
  name: "disk",
  async run({ home: { dir } }) {
    let folder = dir;
    while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    if (free >= little) return [ok(`${sizeText(free)} are free.`)];
    const fix = "Make room; sheepdog prune removes old runs.";
    return [
      free < tooLittle
        ? fail(`Only ${sizeText(free)} are free: runs could not be kept.`, fix)
        : warn(`Only ${sizeText(free)} are free.`, fix),
    ];
  },
};
