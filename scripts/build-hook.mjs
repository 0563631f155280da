// Builds packages/sheepdog/dist/hook.cjs: the process that answers hooks, as one minified CommonJS file. Node starts it
// faster than ES modules, and agents wait for it at every call. Part of the build.
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
