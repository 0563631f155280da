// Writes dist/third-party-licences.txt of a package: the licences of everything that its files contain.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const root = new URL("../", import.meta.url);
/** The bundler marks each module with its path. */
const bundledModule = /\/\/#region \S*node_modules\/((?:@[^/]+\/)?[^/]+)\//g;

/** Throws if a bundled package has no licence. Packages without bundled code get no file. */
export function writeLicences(packageFolder) {
  const dist = new URL(`${packageFolder}/dist/`, root);
  const names = new Set(
    readdirSync(dist)
      .filter((file) => file.endsWith(".js"))
      .flatMap((file) =>
        [...readFileSync(new URL(file, dist), "utf8").matchAll(bundledModule)].map(([, name]) => name),
      ),
  );
  const texts = [...names].sort().map((name) => `${name}\n\n${licenceOf(name)}`);
  if (texts.length > 0) writeFileSync(new URL("third-party-licences.txt", dist), texts.join(`\n${"-".repeat(80)}\n\n`));
}

/** The licence file; without one, what the manifest says. */
function licenceOf(name) {
  const folder = new URL(`node_modules/${name}/`, root);
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(?:\.(?:md|txt))?$/i.test(entry));
  if (file !== undefined) return `${readFileSync(new URL(file, folder), "utf8").trim()}\n`;
  const { license, author } = JSON.parse(readFileSync(new URL("package.json", folder), "utf8"));
  if (typeof license !== "string") throw new Error(`Expected a licence of ${name}, which is bundled; got none.`);
  return `${license}, by ${author?.name ?? author ?? "its authors"}\n`;
}
