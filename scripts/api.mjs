// Generates the API reference docs/api/ from the source: one Markdown file per public entry.
// `--check` compares instead of writing, and fails when the committed files are out of date.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Application, TSConfigReader } from "typedoc";

const root = fileURLToPath(new URL("../", import.meta.url));
const target = join(root, "docs/api");
const apiOptions = {
  name: "API reference",
  tsconfig: join(root, "scripts/tsconfig.api.json"),
  basePath: join(root, "packages"),
  plugin: ["typedoc-plugin-markdown"],
  readme: "none",
  logLevel: "Warn",
  skipErrorChecking: true,
  validation: { notExported: false, invalidLink: true },
  disableSources: true,
  disableGit: true,
  excludeExternals: true,
  excludePrivate: true,
  excludeInternal: true,
  groupOrder: ["Functions", "Variables", "Classes", "Interfaces", "Type Aliases"],
  router: "module",
  entryFileName: "README",
  flattenOutputFiles: true,
  excludeScopesInPaths: true,
  hidePageHeader: true,
  hideBreadcrumbs: true,
  useCodeBlocks: true,
  expandObjects: true,
  parametersFormat: "table",
  interfacePropertiesFormat: "table",
  typeDeclarationFormat: "table",
  tableColumnSettings: { hideModifiers: true, hideDefaults: true },
};

if (process.argv.includes("--check")) await compare();
else await generate(target);

async function compare() {
  const folder = mkdtempSync(join(tmpdir(), "sheepdog-api-"));
  try {
    await generate(folder);
    const files = [...new Set([...filesIn(folder), ...filesIn(target)])].sort();
    const stale = files.filter((file) => read(join(folder, file)) !== read(join(target, file)));
    for (const file of stale) console.log(`FAILED docs/api/${file} is out of date. Run: npm run api`);
    if (stale.length === 0) console.log(`ok     docs/api: ${files.length} files`);
    process.exitCode = stale.length === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function filesIn(folder) {
  return existsSync(folder) ? readdirSync(folder) : [];
}

function read(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

async function generate(output) {
  const entries = publicEntries();
  const options = {
    ...apiOptions,
    entryPoints: entries.map(({ source }) => source),
    out: output, // TypeDoc empties this folder; its default is docs/
    outputs: [{ name: "markdown", path: output }],
  };
  const application = await Application.bootstrapWithPlugins(options, [new TSConfigReader()]);
  const project = await application.convert();
  if (project === undefined) throw new Error("TypeDoc could not read the sources; see the messages above.");
  // TypeDoc names a module after its file; users know it by the name they import.
  for (const module of project.children ?? [])
    module.name = entries.find(({ moduleName }) => moduleName === module.name)?.name ?? module.name;
  await application.generateOutputs(project);
  if (application.logger.hasErrors()) throw new Error("TypeDoc could not write the reference; see the messages above.");
}

/** The public entries, from the packages' `exports`: import name, source file, and TypeDoc's name for the file. */
function publicEntries() {
  return ["guardian", "records", "agent", "integrations"].flatMap((folder) => {
    const manifest = JSON.parse(readFileSync(join(root, "packages", folder, "package.json"), "utf8"));
    return Object.entries(manifest.exports).map(([path, conditions]) => {
      const source = join(root, "packages", folder, conditions["@sheepdog/source"]);
      const moduleName = source.slice(join(root, "packages/").length).replace(/(?:\/index)?\.ts$/, "");
      return { name: manifest.name + path.slice(1), source, moduleName };
    });
  });
}
