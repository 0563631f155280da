import { describe, expect, test } from "vitest";
import { createSandbox, isBuilt } from "./sandbox.ts";

/** The settings for each provider; the server supports all their formats. */
const providers = [
  { name: "anthropic", args: [], env: () => ({}) },
  {
    name: "openai",
    args: [],
    env: (url: string) => ({ ANTHROPIC_API_KEY: "", OPENAI_API_KEY: "k", OPENAI_BASE_URL: url }),
  },
  {
    name: "google",
    args: ["--model", "google:gemini-2.5-flash"],
    env: (url: string) => ({ GEMINI_API_KEY: "k", SHEEPDOG_MODEL__BASE_URL: url }),
  },
  {
    name: "openai-compatible",
    args: ["--model", "openai-compatible:shepherd-1"],
    env: (url: string) => ({ OPENAI_COMPATIBLE_BASE_URL: url }),
  },
] as const;

describe.skipIf(!isBuilt).concurrent("a call and an answer work", () => {
  test.for(providers)("with $name", async ({ name, args, env }, context) => {
    const { run, file, server } = await createSandbox(context, [
      { calls: [{ tool: "read", input: { path: "a.txt" } }] },
      { text: "The dog is called Rex." },
    ]);
    await file("a.txt", "Rex\n");
    const { code, out, err } = await run(["run", "--json", ...args, "Who is it?"], { env: env(server.url) });
    expect(code, err).toBe(0);
    const document = JSON.parse(out) as { readonly model: string };
    expect(document).toMatchObject({ text: "The dog is called Rex.", reason: "answered", turns: 2 });
    expect(document.model).toMatch(new RegExp(`^${name}:`));
    expect(server.requests[1]?.text).toContain("Rex");
  });
});

test.skipIf(!isBuilt)("a fallback model answers if the first model fails", async (context) => {
  const { run, server } = await createSandbox(context, [], ({ model }) =>
    model === "claude-sonnet-5" ? { fault: { type: "status", status: 404 } } : { text: "The other one." },
  );
  const models = [{ provider: "openai-compatible", model_id: "shepherd-2", base_url: server.url }];
  const fallback = `fallback_models=${JSON.stringify(models)}`;
  expect(await run(["run", "--set", fallback, "Hello?"])).toMatchObject({ code: 0, out: "The other one.\n" });
});
