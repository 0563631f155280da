// Builds packages/sheepdog/dist/hook.cjs: the process that answers hooks, as one minified CommonJS file. Node starts it
// faster than ES modules, and agents wait for it at every call. Part of the build.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const folder = fileURLToPath(new URL("../packages/sheepdog/", import.meta.url));
const bundle = await rolldown({
  cwd: folder,
  input: "src/hook/hook-process.ts",
  platform: "node",
  resolve: { conditionNames: ["@sheepdog/source", "node", "import", "default"] },
});
await bundle.write({ file: "dist/hook.cjs", format: "cjs", minify: true, exports: "named" });
await bundle.close();

// One byte for each character: read faster, and half as much for V8 to hold. bin/hook.js calls the function, as Node
// would for a CommonJS module.
const file = join(folder, "dist/hook.cjs");
const escaped = (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
const code = readFileSync(file, "utf8").replace(/[\u0080-\uffff]/g, escaped);
writeFileSync(file, `(function (exports, require) {${code}\n})`);
