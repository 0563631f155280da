import { defineConfig } from "vitest/config";

const conditions = ["@sheepdog/source", "node", "import", "default"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: [
      "packages/*/src/**/*.test.ts",
      "packages/*/test/**/*.test.ts",
      "test/**/*.test.ts",
      "scripts/**/*.test.{ts,mjs}",
      "bench/**/*.test.ts",
    ],
    testTimeout: 30_000,
    hookTimeout: 60_000, // a browser or a server that ends on a busy machine
  },
});
