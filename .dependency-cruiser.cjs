/** The direction of dependencies: guardian ← records ← agent ← sheepdog. A package is entered through its exports only. */
const inside = (name) => `^packages/${name}/(?:src|bin)/`;
const test = "\\.test\\.ts$|^packages/[^/]+/test/";

/** The folders of the guardian, each with what it may import besides itself. Type imports count. */
const guardianLayers = {
  "perceive/": [],
  "policy/": ["perceive/"],
  "signal.ts": ["perceive/", "policy/"],
  "state/": ["perceive/", "policy/", "signal.ts"],
  "words.ts": ["policy/", "state/"],
  "limits/": ["policy/", "state/", "signal.ts"],
  "detect/": ["perceive/", "policy/", "state/", "signal.ts", "words.ts"],
  "signals/": ["perceive/", "policy/", "state/", "limits/", "detect/", "signal.ts", "words.ts"],
  "seeds/": ["perceive/", "policy/", "detect/"],
};
const guardianRules = Object.entries(guardianLayers).map(([layer, imports]) => ({
  name: `guardian-${layer.replace(/\W/g, "")}`,
  comment: `${layer} of the guardian imports ${imports.join(", ") || "nothing else"}.`,
  severity: "error",
  from: { path: `^packages/guardian/src/${layer}`, pathNot: test },
  to: { path: "^packages/guardian/src/", pathNot: [layer, ...imports].map((each) => `^packages/guardian/src/${each}`) },
}));

module.exports = {
  forbidden: [
    {
      name: "no-circles",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "no-circles-in-the-guardian",
      comment: "Not even by type imports.",
      severity: "error",
      from: { path: "^packages/guardian/src/" },
      to: { circular: true },
    },
    ...guardianRules,
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
