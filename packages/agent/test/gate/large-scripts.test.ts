import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decideInWorkspace } from "./decide-in-workspace.ts";
import { bigScript, deepSubstitutions, largeScripts } from "./large-scripts.ts";
import { createWorkspaceFixture, type WorkspaceFixture } from "./workspace-fixture.ts";

let fixture: WorkspaceFixture;
beforeAll(() => {
  fixture = createWorkspaceFixture();
});
afterAll(() => fixture.remove());

describe("a large script ends in a decision", () => {
  test.each(Object.entries(largeScripts))("%s", async (_, script) => {
    expect(await decideInWorkspace(fixture.workspace, script)).toMatchObject({ reason: expect.stringMatching(/\S/) });
  });

  test("which is not weaker than that of its worst command", async () => {
    const refused = { decision: "deny" };
    expect(await decideInWorkspace(fixture.workspace, `${bigScript}touch ../x\n`)).toMatchObject(refused);
    expect(await decideInWorkspace(fixture.workspace, `touch ../x\n${bigScript}`)).toMatchObject(refused);
    expect(await decideInWorkspace(fixture.workspace, deepSubstitutions("touch ../x"))).toMatchObject(refused);
  });
});
