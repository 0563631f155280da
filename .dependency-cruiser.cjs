/** The direction of dependencies: guardian ← records ← agent ← sheepdog. Packages use each other's exports only. */
const inside = (name) => `^packages/${name}/(?:src|bin)/`;
const test = "\\.test\\.ts$|^packages/[^/]+/test/";

/** The folders of records and the other folders each may import. Type imports count. */
function recordsLayers() {
  const allowed = {
    platform: [],
    trajectory: [],
    pricing: [],
    readers: ["trajectory"],
    analyze: ["trajectory", "readers", "platform"],
  };
  const folder = (name) => `^packages/records/src/${name}/`;
  const layers = Object.entries(allowed).map(([name, others]) => ({
    name: `records-${name}`,
    severity: "error",
    from: { path: folder(name), pathNot: test },
    to: { path: "^packages/records/", pathNot: [name, ...others].map(folder) },
  }));
  const circles = {
    name: "records-no-circles",
    comment: "Type imports included.",
    severity: "error",
    from: { path: inside("records") },
    to: { circular: true },
  };
  return [...layers, circles];
}

module.exports = {
  forbidden: [
    {
      name: "no-circles",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "the-guardian-is-pure",
      comment: "No dependency, no Node API: the guardian imports nothing but itself.",
      severity: "error",
      from: { path: inside("guardian"), pathNot: test },
      to: { pathNot: "^packages/guardian/src/" },
    },
    {
      name: "records-know-the-guardian-only",
      severity: "error",
      from: { path: inside("records") },
      to: { path: "^packages/", pathNot: "^packages/(?:records|guardian)/" },
    },
    ...recordsLayers(),
    {
      name: "the-agent-knows-records-and-guardian-only",
      severity: "error",
      from: { path: inside("agent") },
      to: { path: "^packages/", pathNot: "^packages/(?:agent|records|guardian)/" },
    },
    {
      name: "nothing-imports-sheepdog",
      severity: "error",
      from: { pathNot: "^packages/sheepdog/" },
      to: { path: "^packages/sheepdog/" },
    },
    {
      name: "through-the-exports",
      comment: "Another package is entered through its exports, never by a path.",
      severity: "error",
      from: { path: "^packages/([^/]+)/" },
      to: { path: "^packages/", pathNot: "^packages/$1/", dependencyTypes: ["local"] },
    },
    { name: "resolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "no-development-tool-in-the-product",
      severity: "error",
      from: { path: "^packages/[^/]+/src/", pathNot: test },
      to: { dependencyTypes: ["npm-dev"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "/dist/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["@sheepdog/source", "import", "node", "default"],
      extensions: [".ts", ".js"],
    },
  },
};
