import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { sizeText } from "../../render/terminal/size-text.ts";
import { type Check, fail, ok, warn } from "../finding.ts";

const warnBytes = 500_000_000;
const minBytes = 20_000_000;

/** Checks whether there is free disk space for saved runs. */
export const diskCheck: Check = {
  name: "disk",
  async run({ home: { dir } }) {
    let folder = dir;
    while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
    const { bavail, bsize } = await statfs(folder);
    const freeBytes = bavail * bsize;
    if (freeBytes >= warnBytes) return [ok(`${sizeText(freeBytes)} are free.`)];
    const fix = "Free some space. To remove old runs: sheepdog prune";
    return [
      freeBytes < minBytes
        ? fail(`Only ${sizeText(freeBytes)} are free; runs cannot be saved.`, fix)
        : warn(`Only ${sizeText(freeBytes)} are free.`, fix),
    ];
  },
};
