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

  test("whose command succeeds after a change: exit 0, and the criterion is met in the document", async (context) => {
    const { run, server } = await createSandbox(context, [
      { text: "Done." },
      { calls: [{ tool: "write", input: { path: "done.txt", content: "yes" } }] },
      { text: "Now it is done." },
    ]);
    const { code, out } = await run(["run", "--json", "--check", "test -f done.txt", "Do it."]);
    expect(JSON.parse(out)).toMatchObject({
      reason: "goal_accepted",
      goal: { verdict: "accept", score: 1, threshold: 1, criteria: [{ isMet: true }], constraints: [] },
    });
    expect(code).toBe(0);
    expect(server.requests[1]?.text).toContain("test -f done.txt");
  });

  test("whose command keeps failing ends by the guardian, and its output is in the document", async (context) => {
    const answers = ["One.", "Then two?", "Three, perhaps.", "So it must be four.", "Five it is.", "I give up."];
    const { run } = await createSandbox(context, [], ({ index }) => ({ text: answers[index] ?? `Number ${index}.` }));
    const { code, out, err } = await run(["run", "--json", "--check", "echo no sheep; exit 1", "Do it."]);
    expect(JSON.parse(out), err).toMatchObject({
      exitCode: 5,
      goal: { verdict: "retry", score: 0, criteria: [{ isMet: false, reason: expect.stringContaining("no sheep") }] },
    });
    expect(code).toBe(5);
  });

  test("that cannot be reached any more: exit 3, and the reason on stderr and in the document", async (context) => {
    const { run, file } = await createSandbox(context, [{ text: "One." }, { text: "Two." }]);
    await file(
      "goal.toml",
      'text = "The number is known."\n[[criteria]]\ncontains = "42"\n' +
        '[[constraints]]\nmust = "Answer at once."\nmax_turns = 1\n',
    );
    const { code, out, err } = await run(["run", "--json", "--goal", "goal.toml", "What is it?"]);
    const document = JSON.parse(out) as { readonly goal: { readonly reason: string } };
    expect(document).toMatchObject({ reason: "goal_escalated", exitCode: 3, goal: { verdict: "escalate" } });
    expect(code).toBe(3);
    expect(document.goal.reason).toContain("Answer at once.");
    expect(err.replaceAll(/\s+/g, " ")).toContain(document.goal.reason.replace(/\.$/, ""));
  });

  test.for([
    ["accepts the answer: exit 0", [{ verdict: "accept" }], 0, "goal_accepted", 1],
    [
      "gives a hint, then accepts",
      [{ verdict: "retry", hint: "Name the dog." }, { verdict: "accept" }],
      0,
      "goal_accepted",
      2,
    ],
    ["lets the agent continue, then accepts", [{ verdict: "continue" }, { verdict: "accept" }], 0, "goal_accepted", 2],
    ["escalates: exit 3", [{ verdict: "escalate", reason: "There is no dog." }], 3, "goal_escalated", 1],
  ] as const)("without criteria: the model %s", async ([, verdicts, exitCode, reason, answers], context) => {
    const judge = ({ index }: { readonly index: number }) => ({ text: JSON.stringify(verdicts[index]) });
    const { run, server } = await createSandbox(context, [], ({ index }) => ({ text: `Answer ${index}.` }), { judge });
    const { code, out, err } = await run(["run", "--json", "--goal", "The dog has a name.", "What is it called?"]);
    expect(JSON.parse(out), err).toMatchObject({ reason, exitCode });
    expect([code, server.requests.length, server.judgeRequests.length]).toEqual([exitCode, answers, answers]);
    if (verdicts.some(({ verdict }) => verdict === "retry"))
      expect(server.requests[1]?.text).toContain("Name the dog.");
    if (exitCode === 3) expect(err).toContain("There is no dog.");
    const { sums } = JSON.parse((await run(["cost", "--by", "purpose", "--json"])).out);
    expect(sums.map(({ key, requests }: { key: string; requests: number }) => [key, requests]).toSorted()).toEqual([
      ["judge", answers],
      ["turn", answers],
    ]);
  });

  test("whose judge always asks for another try: the guardian ends the run and says why", async (context) => {
    const judge = { text: JSON.stringify({ verdict: "retry", hint: "Say the name of the dog." }) };
    const { run, server } = await createSandbox(context, [], ({ index }) => ({ text: `Is it number ${index}?` }), {
      judge,
    });
    const { code, err, out } = await run(["run", "--json", "--goal", "The dog has a name.", "What is it called?"]);
    expect([code, JSON.parse(out).reason, server.requests.length]).toEqual([5, "no_progress", 5]);
    expect(err.replaceAll(/\s+/g, " ")).toContain(
      "The judge has refused 5 answers in a row, each with much the same hint",
    );
  });

  test("without a goal there is none in the document", async (context) => {
    const { run } = await createSandbox(context, [{ text: "Hello." }]);
    expect(JSON.parse((await run(["run", "--json", "Hello?"])).out)).not.toHaveProperty("goal");
  });
});
