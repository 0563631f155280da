// Packs a package of this repository as one file that can be installed in any project, before the packages are on npm:
// npm run pack agent. The file contains the other packages of this repository that it depends on.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
const [name = "", folderName = "."] = process.argv.slice(2);
const destination = resolve(process.env.INIT_CWD ?? ".", folderName); // npm starts this in the root
if (!/^[a-z]+$/.test(name) || !existsSync(join(root, "packages", name, "package.json"))) {
  console.error("pack: name a folder of packages/, as in: npm run pack agent");
  process.exit(2);
}
const stage = mkdtempSync(join(tmpdir(), "sheepdog-pack-"));
try {
  const folder = join(stage, "package");
  unpack(name, folder);
  const manifest = readManifest(folder);
  const added = addWorkspacePackages(manifest, folder);
  const dependencies = { ...added.dependencies, ...manifest.dependencies };
  const packed = { ...manifest, dependencies, bundleDependencies: added.names };
  writeFileSync(join(folder, "package.json"), JSON.stringify(packed, undefined, 2));
  mkdirSync(destination, { recursive: true });
  console.log(join(destination, pack(folder, destination)));
} finally {
  rmSync(stage, { recursive: true });
}

/** Puts the packages of this repository into the folder's node_modules. Returns their names and what they depend on. */
function addWorkspacePackages(manifest, folder, names = new Set()) {
  let dependencies = {};
  for (const dependency of Object.keys(manifest.dependencies ?? {})) {
    if (!dependency.startsWith("@sheepdog/") || names.has(dependency)) continue;
    names.add(dependency);
    const target = join(folder, "node_modules", dependency);
    unpack(dependency.slice("@sheepdog/".length), target);
    const added = addWorkspacePackages(readManifest(target), folder, names);
    dependencies = { ...dependencies, ...readManifest(target).dependencies, ...added.dependencies };
  }
  return { names: [...names], dependencies };
}

function unpack(workspace, folder) {
  mkdirSync(folder, { recursive: true });
  const tarball = pack(join(root, "packages", workspace), dirname(folder));
  execFileSync("tar", ["-xzf", join(dirname(folder), tarball), "-C", folder, "--strip-components=1"]);
  rmSync(join(dirname(folder), tarball));
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** Returns the name of the file. */
function pack(folder, destination) {
  const options = ["--json", "--ignore-scripts", "--loglevel=error", "--pack-destination", destination];
  const [{ filename }] = Object.values(JSON.parse(execFileSync("npm", ["pack", folder, ...options], { cwd: stage })));
  return filename;
}
