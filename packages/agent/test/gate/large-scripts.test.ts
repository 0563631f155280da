import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decideInWorkspace } from "./decide-in-workspace.ts";
import { bigScript, deepSubstitutions, largeScripts } from "./large-scripts.ts";
import { createWorkspaceFixture, type WorkspaceFixture } from "./workspace-fixture.ts";

let fixture: WorkspaceFixture;
beforeAll(() => {
  fixture = createWorkspaceFixture();
});
afterAll(() => fixture.remove());

/** The gate reads the file names that match a pattern, so these two are understood; the second finds a link. */
const understood: Readonly<Record<string, number>> = { "a glob with many stars": 0, "a glob of many levels": 3 };

describe("a large script ends in a decision", () => {
  test.each(Object.entries(largeScripts))("%s", async (name, script) => {
    const { tier, reason } = await decideInWorkspace(fixture.workspace, script);
    expect(tier).toBe(understood[name] ?? 4);
    expect(reason).not.toMatch(/Invalid string length|call stack|heap/); // an error of the runtime is no decision
  });

  test("which is not weaker than that of its worst command", async () => {
    const refused = { decision: "deny" };
    expect(await decideInWorkspace(fixture.workspace, `${bigScript}touch ../x\n`)).toMatchObject(refused);
    expect(await decideInWorkspace(fixture.workspace, `touch ../x\n${bigScript}`)).toMatchObject(refused);
    expect(await decideInWorkspace(fixture.workspace, deepSubstitutions("touch ../x"))).toMatchObject(refused);
  });
});
