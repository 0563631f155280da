import { mkdir, truncate } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox, isBuilt } from "./sandbox.ts";

describe.skipIf(!isBuilt).concurrent("the binary, with a goal", () => {
  test("of a file with problems: exit 2, each with its line and column, and no request", async (context) => {
    const { run, file, server } = await createSandbox(context, []);
    await file("goal.toml", 'text = "It works."\nthreshold = 1.5\n[[criteria]]\ncontain = "42"\n[[criteria]]\n');
    const { code, out, err } = await run(["run", "--goal", "goal.toml", "Go."]);
    expect([code, out]).toEqual([2, ""]);
    expect(err.split("\n")).toEqual([
      "sheepdog: goal.toml:2:13: threshold is 1.5; it must be a number above 0, at most 1",
      'sheepdog: goal.toml:4:1: there is no key "contain" in criteria[0]; did you mean "contains"?',
      "sheepdog: goal.toml:5:3: criteria[1] needs exactly one of contains, equals, check, judged",
      "",
    ]);
    expect(server.requests).toEqual([]);
  });

  test("of a folder, or of a file of 100 MB: exit 2 and a sentence", async (context) => {
    const { run, file, workspace } = await createSandbox(context, []);
    await mkdir(join(workspace, "folder.toml"));
    await truncate(await file("huge.toml", ""), 100_000_000);
    expect(await run(["run", "--goal", "folder.toml", "Go."])).toMatchObject({
      code: 2,
      err: "sheepdog: folder.toml:1:1: it is a directory, not a file\n",
    });
    expect(await run(["run", "--goal", "huge.toml", "Go."])).toMatchObject({
      code: 2,
      err: "sheepdog: huge.toml:1:1: it is larger than 1 MB, so it is not a goal\n",
    });
  });

  test("of a file that is reached: exit 0, and it is in the document and in the system prompt", async (context) => {
    const { run, file, server } = await createSandbox(context, [{ text: "Nearly." }, { text: "It is 42." }]);
    await file("goal.toml", 'text = "The number is known."\n[[criteria]]\ncontains = "42"\n');
    const { code, out } = await run(["run", "--json", "--goal", "goal.toml", "What is it?"]);
    expect(JSON.parse(out)).toMatchObject({ reason: "goal_accepted", exitCode: 0, goal: { verdict: "accept" } });
    expect(code).toBe(0);
    expect(JSON.stringify(server.requests[0]?.body["system"])).toContain("Goal: The number is known.");
  });

  test("that is not reached: exit 3, and the reason on stderr and in the document", async (context) => {
    const answers = ["One.", "Then two?", "Three, perhaps.", "So it must be four."].map((text) => ({ text }));
    const { run } = await createSandbox(context, answers);
    const { code, out, err } = await run(["run", "--json", "--expect", "42", "What is it?"]);
    const document = JSON.parse(out) as { readonly goal: { readonly reason: string } };
    expect(document).toMatchObject({ reason: "goal_escalated", exitCode: 3, goal: { verdict: "escalate" } });
    expect(code).toBe(3);
    expect(document.goal.reason).toContain("42");
    expect(err.replaceAll(/\s+/g, " ")).toContain(document.goal.reason.replace(/\.$/, ""));
  });

  test("without a goal there is none in the document", async (context) => {
    const { run } = await createSandbox(context, [{ text: "Hello." }]);
    expect(JSON.parse((await run(["run", "--json", "Hello?"])).out)).not.toHaveProperty("goal");
  });
});
