import { defineConfig } from "vite";

/** Builds the pages into the package that serves them. Nothing is inlined: the policy of the server forbids it. */
export default defineConfig({
  root: import.meta.dirname,
  base: "/",
  logLevel: "warn",
  resolve: { conditions: ["@sheepdog/source", "module", "browser", "import", "default"] },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../sheepdog/dist/web",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    target: "es2023",
  },
  server: { proxy: { "/api": "http://127.0.0.1:4114" } },
});
