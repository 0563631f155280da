import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "../src/package-root.ts";

/** The imports of a built file: static ones, and those loaded on demand. */
interface Imports {
  readonly atOnce: readonly string[];
  readonly later: readonly string[];
}

const staticImport = /^(?:import|export)\s*(?:[\w*{][^"';]*?\sfrom\s*)?"([^"]+)"/gm;
const dynamicImport = /\bimport\("([^"]+)"\)/g;

function importsOf(file: string): Imports {
  const text = readFileSync(file, "utf8").replace(/^\s*\*.*$/gm, ""); // comments may contain imports of types
  return {
    atOnce: [...text.matchAll(staticImport)].map(([, to = ""]) => to),
    later: [...text.matchAll(dynamicImport)].map(([, to = ""]) => to),
  };
}

/** Loaded files of `dist`, and packages. */
export interface Reached {
  readonly files: ReadonlySet<string>;
  readonly packages: ReadonlySet<string>;
}

/** Everything that is loaded with a file, including our own packages. */
export function loadedWith(file: string): Reached {
  return reach(file, () => false);
}

/** Everything that a command may ever load, without what files of every start load on demand. */
export function everLoadedBy(command: string, start: Reached): Reached {
  return reach(command, (file) => dirname(file) === dirname(command) && !start.files.has(file));
}

/** The files that are loaded when a command runs. `show-command` is `show/show-command.ts` in the source. */
export function commandFiles(start: Reached): ReadonlyMap<string, string> {
  const later = [...start.files].flatMap((file) => importsOf(file).later.map((to) => resolve(dirname(file), to)));
  return new Map(later.map((file) => [commandIn(file), file]));
}

/** The bundler marks each module with its path; the command is the last one in its file. */
function commandIn(file: string): string {
  const modules = [...readFileSync(file, "utf8").matchAll(/^\/\/#region src\/commands\/(\S+)\.ts$/gm)];
  const [folder = "", name = ""] = modules.at(-1)?.[1]?.split("/") ?? [];
  return name === `${folder}-command` ? name : `${folder}/${name}`;
}

function reach(from: string, followsLater: (file: string) => boolean): Reached {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    const { atOnce, later } = importsOf(file);
    for (const to of followsLater(file) ? [...atOnce, ...later] : atOnce) {
      if (to.startsWith("node:")) continue;
      if (!to.startsWith(".")) packages.add(packageOf(to));
      const next = to.startsWith(".") ? resolve(dirname(file), to) : ownFile(to);
      if (next !== undefined) visit(next);
    }
  };
  visit(from);
  return { files, packages };
}

function packageOf(specifier: string): string {
  const [scope = "", name = ""] = specifier.split("/");
  return scope.startsWith("@") ? `${scope}/${name}` : scope;
}

/** The built file of an import from one of our own packages. */
function ownFile(specifier: string): string | undefined {
  if (!specifier.startsWith("@sheepdog/")) return undefined;
  const name = packageOf(specifier);
  const folder = join(fileURLToPath(packageRoot), "..", name.slice("@sheepdog/".length));
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    exports: Record<string, { default: string }>;
  }; // our own package.json
  return join(folder, exports[`.${specifier.slice(name.length)}`]?.default ?? "");
}
