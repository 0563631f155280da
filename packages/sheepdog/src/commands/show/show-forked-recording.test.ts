import { expect, test } from "vitest";
import { claudeSession } from "../../../test/claude-session.ts";
import { fakeIo } from "../../../test/fake-io.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { main } from "../../cli.ts";

const file = scratchFolder();

async function output(home: string, ...args: readonly string[]): Promise<string> {
  const io = fakeIo();
  await main([...args], { ...io, env: { ...io.env, HOME: home, COLUMNS: "120" } });
  return io.out() + io.err();
}

interface AnalyzedRun {
  readonly id: string;
  readonly showId: string;
  readonly calls: number;
}

async function analyzed(home: string): Promise<readonly AnalyzedRun[]> {
  const { runs } = JSON.parse(await output(home, "analyze", "--json")) as { readonly runs: readonly AnalyzedRun[] };
  return runs;
}

test("a call without a result did not succeed, and a session without an outcome did not complete", async () => {
  const home = await file("home");
  const [prompt = "", reply = ""] = claudeSession("s1", "/srv/a", [{ request: "a", command: "sleep 9" }]).split("\n");
  await file("home/.claude/projects/x/s1.jsonl", `${prompt}\n${reply}\n`);
  const [run] = await analyzed(home);
  const shown = JSON.parse(await output(home, "show", run?.showId ?? "", "--json"));
  expect(shown.run.state).toBe("unknown");
  const calls = shown.items.filter(({ type }: { readonly type: string }) => type === "call");
  expect(calls).toMatchObject([{ tool: "Bash", status: "interrupted", content: "" }]);
  const text = await output(home, "show", run?.showId ?? "");
  expect(text).not.toContain("✓");
  expect(text).not.toContain("null");
});

test("a call is unknown where the recording does not say whether it failed", async () => {
  const home = await file("home");
  const call = { name: "search", args: { query: "tax" }, result: "two pages" };
  const path = await file("runs.jsonl", `${JSON.stringify({ id: "r", steps: [{ text: "", calls: [call] }] })}\n`);
  const { runs } = JSON.parse(await output(home, "analyze", path, "--json"));
  const shown = JSON.parse(await output(home, "show", runs[0].showId, "--json"));
  expect(shown.items.at(-1)).toMatchObject({ tool: "search", status: "unknown", content: "two pages" });
  const text = await output(home, "show", runs[0].showId);
  expect(text).toContain("search tax  …");
  expect(text).toContain("two pages");
});

test("a forked session is shown without what it copied, and the policy is named", async () => {
  const home = await file("home");
  const copied = Array.from({ length: 4 }, (_, index) => ({ request: `r${index}`, command: `ls ${index}` }));
  const own = Array.from({ length: 4 }, (_, index) => ({ request: `n${index}`, command: "cat new.ts" }));
  await file("home/.claude/projects/x/s1.jsonl", claudeSession("s1", "/srv/a", copied));
  await new Promise((resolve) => setTimeout(resolve, 20)); // the first file that holds a request owns it
  await file("home/.claude/projects/x/s2.jsonl", claudeSession("s2", "/srv/a", [...copied, ...own]));
  const fork = (await analyzed(home)).find(({ id }) => id === "s2");
  expect(fork?.calls).toBe(4);
  const text = await output(home, "show", fork?.showId ?? "");
  expect(text).toContain("cat new.ts");
  expect(text).not.toContain("ls 0");
  expect(text).toContain("under the policy default");
});
