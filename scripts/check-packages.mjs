// Checks the packages as their users get them: packs every workspace that is published, installs the tarballs into an
// empty folder, and type-checks, imports and requires every public entry there. Prints one line per check.
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

const root = fileURLToPath(new URL("../", import.meta.url));
const requiredFiles = ["README.md", "LICENSE", "package.json"];
const requiredFields = ["description", "keywords", "license", "repository", "engines"];
/** The modes a TypeScript user of an ES module has. */
const moduleModes = [
  { module: "nodenext", moduleResolution: "nodenext" },
  { module: "esnext", moduleResolution: "bundler" },
];
/** Resolutions that cannot work for packages that are ES modules only. */
const commonJsResolutions = ["node10", "node16-cjs"];
/** What all packages together may take on the disk of a user, with everything they depend on. */
const MAX_INSTALLED_MB = 80;
/** Entries that import their framework at run time. */
const entriesWithPeers = ["@sheepdog/integrations/langchain", "@sheepdog/integrations/langgraph"];
/** Lines printed for a failed check. */
const MAX_PROBLEMS = 10;

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "sheepdog-packages-"));
let failures = 0;
try {
  await checkPackages();
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = failures === 0 ? 0 : 1;

async function checkPackages() {
  await run(process.execPath, [join(root, "scripts/build.mjs")], { cwd: root });
  const packages = await pack();
  await Promise.all([install(packages), checkTarballs(packages)]);
  await checkInstalled(packages);
}

async function checkTarballs(packages) {
  for (const each of packages) {
    check(`${each.name}: files and fields`, contentProblems(each));
    check(`${each.name}: publint`, await publintProblems(each));
    if (each.entries.length > 0) check(`${each.name}: are the types wrong`, await typeResolutionProblems(each));
  }
}

async function checkInstalled(packages) {
  const allEntries = packages.flatMap((each) => each.entries);
  const entries = allEntries.filter((entry) => !entriesWithPeers.includes(entry));
  writePrograms(entries);
  check(`import of ${entries.length} entries, without optional peers`, await runProblems(["import.mjs"]));
  if (process.features.require_module) check("require of the same entries", await runProblems(["require.cjs"]));
  else console.log(`skipped require of the same entries: Node ${process.versions.node} cannot require ES modules`);
  check("sheepdog --version", await runProblems(["node_modules/sheepdog/bin/sheepdog.js", "--version"]));
  await installTypes(packages);
  writePrograms(allEntries);
  check(`import of ${allEntries.length} entries, with optional peers`, await runProblems(["import.mjs"]));
  const problemsByMode = await Promise.all(moduleModes.map(typeProblems));
  for (const [index, { moduleResolution }] of moduleModes.entries())
    check(`types: moduleResolution ${moduleResolution}`, problemsByMode[index]);
}

async function pack() {
  const { stdout } = await run("npm", ["pack", "--workspaces", "--json", "--pack-destination", folder], { cwd: root });
  const packed = JSON.parse(stdout);
  const all = Array.isArray(packed) ? packed : Object.values(packed);
  return all.flatMap(({ name, filename, files }) => {
    const manifest = readManifest(name);
    if (manifest.private === true) return [];
    const paths = Object.keys(manifest.exports ?? {});
    return {
      name,
      manifest,
      tarball: join(folder, filename),
      files: files.map((file) => file.path),
      entries: paths.map((path) => name + path.slice(1)),
    };
  });
}

function readManifest(name) {
  return readJson(join(root, "packages", name.replace("@sheepdog/", ""), "package.json"));
}

function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

async function install(packages) {
  const { allowScripts, overrides } = readJson(join(root, "package.json"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, allowScripts, overrides }));
  await npmInstall(packages.map(({ tarball }) => tarball));
  check(`installed size: at most ${MAX_INSTALLED_MB} MB`, sizeProblems());
}

/** Installs what users have installed themselves, in the versions of this repository: frameworks and Node's types. */
async function installTypes(packages) {
  const { devDependencies } = readJson(join(root, "package.json"));
  const peers = packages.flatMap(({ manifest }) => Object.keys(manifest.peerDependencies ?? {}));
  const names = ["@types/node", ...peers].filter((name) => name in devDependencies);
  await npmInstall([...new Set(names)].map((name) => `${name}@${devDependencies[name]}`));
}

async function npmInstall(specifiers) {
  const options = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  await run("npm", ["install", ...options, ...specifiers], { cwd: folder });
}

function sizeProblems() {
  const modules = join(folder, "node_modules");
  const files = readdirSync(modules, { recursive: true }).map((name) => statSync(join(modules, name)));
  const megabytes = Math.round(files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0) / 1e6);
  return megabytes <= MAX_INSTALLED_MB ? [] : [`${megabytes} MB`];
}

function contentProblems({ files, manifest }) {
  return [
    ...requiredFiles.filter((file) => !files.includes(file)).map((file) => `${file} is missing in the tarball`),
    ...requiredFields.filter((field) => !(field in manifest)).map((field) => `"${field}" is missing in package.json`),
  ];
}

async function publintProblems({ manifest, tarball }) {
  const { messages } = await publint({ pack: { tarball: toArrayBuffer(readFileSync(tarball)) }, strict: true });
  return messages.map((message) => formatMessage(message, manifest, { color: false }));
}

function toArrayBuffer(buffer) {
  return buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + buffer.byteLength);
}

async function typeResolutionProblems({ tarball }) {
  const { problems } = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(tarball))));
  return problems
    .filter(({ resolutionKind }) => !commonJsResolutions.includes(resolutionKind))
    .map(({ kind, ...details }) => `${kind} ${JSON.stringify(details)}`);
}

/** Programs that load every entry and fail when one exports nothing. */
function writePrograms(entries) {
  const checkExports = 'if (Object.keys(entry).length === 0) throw new Error("An entry exports nothing.");';
  const names = entries.map((_, index) => `entry${index}`);
  const imports = entries.map((entry, index) => `import * as ${names[index]} from "${entry}";`);
  const program = [...imports, `for (const entry of [${names.join(", ")}])`, `  ${checkExports}`, ""].join("\n");
  writeFileSync(join(folder, "import.mts"), program);
  writeFileSync(join(folder, "import.mjs"), program);
  const required = entries.map((entry) => `require("${entry}")`);
  writeFileSync(join(folder, "require.cjs"), `for (const entry of [${required.join(", ")}])\n  ${checkExports}\n`);
}

async function typeProblems({ module, moduleResolution }) {
  const options = ["--noEmit", "--strict", "--skipLibCheck", "false", "--target", "es2023", "--types", "node"];
  const mode = ["--module", module, "--moduleResolution", moduleResolution];
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  return runProblems([compiler, ...options, ...mode, "--pretty", "false", "import.mts"]);
}

/** Runs a Node program in the folder; returns its output when it fails. */
async function runProblems(args) {
  try {
    await run(process.execPath, args, { cwd: folder });
    return [];
  } catch (error) {
    return `${error.stdout}${error.stderr}`.trim().split("\n");
  }
}

function check(name, problems) {
  console.log(`${problems.length === 0 ? "ok    " : "FAILED"} ${name}`);
  for (const problem of problems.slice(0, MAX_PROBLEMS)) console.log(`         ${problem}`);
  if (problems.length > MAX_PROBLEMS) console.log(`         and ${problems.length - MAX_PROBLEMS} more`);
  failures += problems.length === 0 ? 0 : 1;
}
