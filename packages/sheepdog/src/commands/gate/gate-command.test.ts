import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { fakeIo } from "../../../test/fake-io.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { terminalControls } from "../../../test/test-home.ts";
import { main } from "../../cli.ts";

const file = scratchFolder();

/** Runs `sheepdog gate` in a project with this file of the user. */
async function gate(argv: readonly string[], config = "") {
  const home = dirname(await file("home/config.toml", config));
  const cwd = dirname(await file("project/a.txt", "x"));
  const io = fakeIo({ cwd, env: { SHEEPDOG_HOME: home, NO_COLOR: "1" }, columns: 80 });
  const code = await main(["gate", ...argv], io);
  return { code, out: io.out(), err: io.err() };
}

const off = '[security]\nsandbox = "off"\n';
const rule = (command: string, decision: string) =>
  `[[security.rules]]\ntool = "bash"\ncommand = "${command}"\ndecision = "${decision}"\n`;

describe("gate explain", () => {
  test("prints the decision, why, and the principles that object", async () => {
    const { code, out, err } = await gate(["explain", "--", "git", "push", "origin", "main"]);
    expect([code, err]).toEqual([0, ""]);
    expect(out.split("\n")[0]).toBe("needs your approval: T3, reaches beyond the workspace");
    expect(out).toMatch(/^why {14}\S/m);
    expect(out).toMatch(/^boundaries {7}caution: /m);
    expect(out).toMatch(/^as a rule {8}git push \*$/m);
  });

  test("prints a document with all seven principles", async () => {
    const { code, out } = await gate(["explain", "--json", "--unattended", "--", "cat /etc/hostname"], off);
    const document = JSON.parse(out);
    expect([code, document]).toEqual([
      0,
      {
        schemaVersion: 1,
        tier: 3,
        decision: "deny",
        reason: "Reads /etc/hostname, which is outside the workspace. There is no user to approve it.",
        principles: expect.any(Array),
        patterns: ["path outside the workspace"],
        paths: [{ path: "/etc/hostname", access: "read", location: "outside" }],
        instead: expect.stringMatching(/^Use files inside the workspace, /),
      },
    ]);
    expect(document.principles.map(({ principle }: { principle: string }) => principle)).toEqual([
      "preservation",
      "intent",
      "proportionality",
      "transparency",
      "boundaries",
      "secrets",
      "learning",
    ]);
  });

  test("knows the sandbox, and says what a run may know besides", async () => {
    const sandbox = (value: string) => `[security]\nsandbox = "${value}"\n`;
    const explain = async (value: string, command: string) =>
      JSON.parse((await gate(["explain", "--json", "--", command], sandbox(value))).out);
    expect(await explain("required", "git push")).toMatchObject({ decision: "ask", leavesSandbox: true });
    expect(await explain("required", "npm test && git push")).toMatchObject({ decision: "deny" });
    expect(await explain("off", "npm test && git push")).toMatchObject({ decision: "ask" });
    const { out } = await gate(["explain", "--", "git push"], sandbox("required"));
    expect(out).toMatch(/^sandbox {10}it would run outside$/m);
    expect(out).toMatch(/^left out {9}Lessons from earlier calls/m);
  });

  test("code of an agent that must have a sandbox is judged as inside one", async () => {
    const config = '[security]\nsandbox = "required"\nunattended_code = "deny"\n';
    expect((await gate(["explain", "--unattended", "--", "npm test"], config)).out).toMatch(/^allowed: T2/);
  });

  test("several words are arguments, one word is a command line", async () => {
    const decision = async (...words: readonly string[]) =>
      JSON.parse((await gate(["explain", "--json", "--", ...words])).out).decision;
    expect(await decision("ls && curl https://example.org")).toBe("ask");
    expect(await decision("ls", "&&", "curl")).toBe("allow"); // files with these names
  });

  test("uses the rules of the configuration, and names the rule", async () => {
    const { out } = await gate(["explain", "--", "npm", "test"], rule("npm *", "deny"));
    expect(out.split("\n").slice(0, 3)).toEqual([
      "refused: T2, runs the project's own code",
      'why              A rule of the user forbids it: deny bash "npm *".',
      'rule             deny bash "npm *"',
    ]);
  });

  test("judges other tools by their arguments", async () => {
    const write = await gate(["explain", "--tool", "write", "--args", '{"path": "/etc/x", "content": ""}', "--json"]);
    expect(JSON.parse(write.out)).toMatchObject({ tier: 3, decision: "deny" });
    const unknown = await gate(["explain", "--tool", "github_merge", "--args", "{}", "--json"]);
    expect(JSON.parse(unknown.out)).toMatchObject({ tier: 3, decision: "ask" });
  });

  test("prints no control sequence", async () => {
    const { out } = await gate(["explain", "--", "cat \u001b[2J\u202e/etc/x"]);
    expect(out).not.toMatch(terminalControls);
  });

  test.each([
    [["explain"], "there is no command; write it after --"],
    [["explain", "--args", "[1]"], "it must be a JSON object"],
    [["explain", "--args", "{}", "--", "ls"], "not both"],
  ])("%j is a usage error", async (argv, sentence) => {
    const { code, out, err } = await gate(argv);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(sentence);
  });
});

describe("gate test", () => {
  const expected = [
    "# everyday",
    "allow: npm test",
    "",
    "ask: git push origin main",
    '{"command": "ls -l", "decision": "allow"}',
    '{"tool": "write", "input": {"path": "a.txt"}, "decision": "allow"}',
  ];

  test("is silent about what is as expected", async () => {
    await file("project/gate.txt", expected.join("\n"));
    expect(await gate(["test", "gate.txt"])).toEqual({ code: 0, out: "4 calls, all as expected.\n", err: "" });
  });

  test("prints what differs, and exits with 5", async () => {
    await file("project/gate.txt", [...expected, "allow: curl https://example.org"].join("\n"));
    const { code, out } = await gate(["test", "gate.txt"]);
    expect([code, out.split("\n").slice(0, -1)]).toEqual([
      5,
      [
        "gate.txt:7: expected allow, got ask (T3): curl https://example.org. curl contacts other machines.",
        "5 calls, 1 not as expected.",
      ],
    ]);
    const document = JSON.parse((await gate(["test", "gate.txt", "--unattended", "--json"])).out);
    expect(document).toMatchObject({
      schemaVersion: 1,
      total: 5,
      mismatches: [
        { line: 4, expected: "ask", decision: "deny" },
        { line: 7, tool: "bash", input: { command: "curl https://example.org" }, expected: "allow", decision: "deny" },
      ],
    });
  });

  test("a line that cannot be read is a usage error, with its number", async () => {
    await file("project/gate.txt", 'allow: ls\nmaybe: ls\nls\n{"command": "ls"}\n{"decision": "ask"}\n{');
    const { code, err } = await gate(["test", "gate.txt"]);
    expect([code, [...err.matchAll(/gate\.txt:(\d+):/g)].map(([, line]) => line)]).toEqual([
      2,
      ["2", "3", "4", "5", "6"],
    ]);
    expect((await gate(["test", "missing.txt"])).code).toBe(2);
  });
});
