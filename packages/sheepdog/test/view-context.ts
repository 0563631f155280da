import { loadConfig } from "../src/config/load-config.ts";
import type { ViewContext } from "../src/server/view-context.ts";

/** A context for views of a test, without recordings and without a process that receives commands. */
export function testViewContext(
  given: Pick<ViewContext, "home" | "stores"> & Partial<Omit<ViewContext, "home" | "stores">>,
): ViewContext {
  const env = given.env ?? {};
  return {
    env,
    cwd: given.home.dir,
    now: () => Date.now(),
    loadConfig: (folder) => loadConfig({ env, cwd: folder, home: given.home }),
    port: { send: async () => ({ type: "unanswered" }), canReceive: async () => false },
    recordings: { list: async () => [], load: async () => undefined },
    ...given,
  };
}
