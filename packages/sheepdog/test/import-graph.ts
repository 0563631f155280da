import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

/** What a built file imports: when it is loaded, and what only when it is asked for. */
interface Imports {
  readonly atOnce: readonly string[];
  readonly later: readonly string[];
}

const staticImport = /^(?:import|export)\s*(?:[\w*{][^"';]*?\sfrom\s*)?"([^"]+)"/gm;
const dynamicImport = /\bimport\("([^"]+)"\)/g;

function importsOf(file: string): Imports {
  const text = readFileSync(file, "utf8");
  return { atOnce: [...text.matchAll(staticImport)].map(([, to = ""]) => to), later: [...text.matchAll(dynamicImport)].map(([, to = ""]) => to) };
}

/** The packages that are loaded with a file of `dist`; `"later"` adds what the files of the same package load when they are asked for. Our own packages are looked into. */
export function packagesLoadedBy(file: string, how: "atOnce" | "later" = "atOnce"): ReadonlySet<string> {
  const seen = new Set<string>();
  const packages = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    const { atOnce, later } = importsOf(path);
    const isOwn = dirname(path) === dirname(file);
    for (const to of how === "later" && isOwn ? [...atOnce, ...later] : atOnce) {
      if (to.startsWith(".")) visit(resolve(dirname(path), to));
      else if (!to.startsWith("node:")) {
        packages.add(packageOf(to));
        if (to.startsWith("@sheepdog/")) visit(createRequire(path).resolve(to));
      }
    }
  };
  visit(file);
  return packages;
}

/** The files that `dist/cli.js` loads when a command is asked for, by the name of their file in `src`. */
export function commandFiles(dist: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (path: string): void => {
    const { atOnce, later } = importsOf(path);
    for (const to of later.filter((each) => each.startsWith("."))) found.set(to.replace(/^\.\/|-[\w-]{8}\.js$/g, ""), resolve(dirname(path), to));
    for (const to of atOnce.filter((each) => each.startsWith("."))) visit(resolve(dirname(path), to));
  };
  const cli = join(dist, "cli.js");
  if (existsSync(cli)) visit(cli);
  return found;
}

function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}
