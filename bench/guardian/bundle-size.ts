import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { minify } from "terser";
import { exactRatio } from "../measure/rounds.ts";
import { type Row, row } from "../measure/row.ts";

/** The size of the guardian's public entry with everything it imports, as a bundler ships it. */
export async function bundleRow(): Promise<Row> {
  const input = fileURLToPath(new URL("../../packages/guardian/dist/index.js", import.meta.url));
  const bundle = await rolldown({ input });
  const { output } = await bundle.generate({ format: "esm" });
  await bundle.close();
  const { code = "" } = await minify(output[0].code, { module: true });
  const kilobytes = gzipSync(code, { level: 9 }).length / 1_000;
  return row("guardian's public entry, minified and gzipped", "1 kB", exactRatio(kilobytes), 40);
}
