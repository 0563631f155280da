import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { isBuilt } from "../is-built.ts";
import { scratchFolder } from "../scratch-folder.ts";
import { bin, event, failingCall, runHook, sessionFile, silent, spool, startHook } from "./run-hook.ts";

const file = scratchFolder();

/** A home that does not exist yet. */
async function newHome(): Promise<string> {
  return join(dirname(await file("home/config.toml", "")), "sheepdog");
}

const problems = (home: string) => spool(home).flatMap((line) => (line.type === "problem" ? [line.sentence] : []));

describe.skipIf(!isBuilt)("the process of a hook", () => {
  test("hints at a loop, refuses the call and ends the run; each event is another process", async () => {
    const home = await newHome();
    const answers: string[] = [];
    for (let index = 0; index < 8; index++) {
      const { before, after, end } = failingCall(index);
      const { stdout } = await runHook(home, { ...before, permission_mode: "bypassPermissions" });
      if (stdout === "") await runHook(home, after);
      answers.push(`${stdout} ${(await runHook(home, end)).stdout}`.trim());
    }
    expect(answers.slice(0, 2)).toEqual(["", ""]);
    for (const hint of answers.slice(2, 5)) expect(hint).toContain('"additionalContext":"Sheepdog: This exact call');
    for (const denial of answers.slice(5)) expect(denial).toContain('"permissionDecision":"deny"');
    expect(answers[7]).toContain('"continue":false');
  });

  test("keeps its files private and masks secrets in them", async () => {
    const home = await newHome();
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const { before } = failingCall(1, `curl -H 'Authorization: Bearer ${secret}' https://example.com`);
    await runHook(home, before);
    const names = ["s1.json", "s1.jsonl"];
    expect(names.map((name) => statSync(sessionFile(home, name)).mode & 0o777)).toEqual([0o600, 0o600]);
    expect(statSync(sessionFile(home, ".")).mode & 0o777).toBe(0o700);
    for (const name of names) expect(readFileSync(sessionFile(home, name), "utf8")).not.toContain(secret);
  });

  test("masks what is secret by its name, and keeps no words of prompts and replies in the state", async () => {
    const home = await newHome();
    const args = { password: "hunter2-horse", env: { api_key: "plain-77", [`ghp_${"a1B2".repeat(9)}`]: "1" } };
    await runHook(home, event("PreToolUse", { tool_name: "Login", tool_use_id: "c1", tool_input: args }));
    await runHook(home, event("UserPromptSubmit", { prompt: "password: hunter2-horse" }));
    await runHook(home, event("Stop", { last_assistant_message: "I used password: hunter2-horse" }));
    for (const name of ["s1.json", "s1.jsonl"])
      expect(readFileSync(sessionFile(home, name), "utf8")).not.toMatch(/hunter2-horse|plain-77|ghp_/);
  });

  test("guards calls although the recording, or how far it was followed, cannot be read", async () => {
    const home = await newHome();
    await runHook(home, event("SessionStart"));
    const state = JSON.parse(readFileSync(sessionFile(home, "s1.json"), "utf8"));
    const recording = { bytes: null, usage: null, since: 1 };
    writeFileSync(sessionFile(home, "s1.json"), JSON.stringify({ ...state, recording }));
    for (let index = 0; index < 3; index++) {
      const { before, after, end } = failingCall(index);
      for (const each of [before, after]) await runHook(home, { ...each, transcript_path: join(home, "..") });
      const { stdout } = await runHook(home, end);
      if (index === 2) expect(stdout).toContain("This exact call");
    }
    expect(problems(home)[0]).toMatch(/^the recording of the session cannot be followed: /);
  });

  test("names no file after a session that is no file name", async () => {
    const home = await newHome();
    await runHook(home, { ...event("SessionStart"), session_id: "../../../evil" });
    const { stdout } = spawnSync("find", [join(home, ".."), "-name", "*evil*"], { encoding: "utf8" });
    expect(stdout).toBe("");
  });

  test("answers nothing to what is no event", async () => {
    const home = await newHome();
    for (const stdin of ["", "{", "[]", "null", "\u0000\uFFFD", '{"hook_event_name":"Stop"}', "x".repeat(1_000_000)])
      expect(await runHook(home, stdin)).toEqual(silent);
    expect(existsSync(join(home, "attach"))).toBe(false);
  });

  test("loses no event of 20 hooks at once", async () => {
    const home = await newHome();
    await runHook(home, event("SessionStart"));
    const calls = Array.from({ length: 20 }, (_, index) => failingCall(index).before);
    expect(await Promise.all(calls.map((call) => runHook(home, call)))).toEqual(calls.map(() => silent));
    expect(spool(home).filter(({ type }) => type === "call")).toHaveLength(20);
    const { session } = JSON.parse(readFileSync(sessionFile(home, "s1.json"), "utf8"));
    expect(Object.keys(session.agents[""].calls)).toHaveLength(20);
    expect(problems(home)).toEqual([]);
  });

  test("that is killed at any moment leaves a state that the next one continues", async () => {
    const home = await newHome();
    await runHook(home, event("SessionStart"));
    for (let index = 0; index < 25; index++) {
      const { child, exit } = startHook(home, failingCall(index, `echo ${index}`).before);
      await pause(30 + index * 3);
      child.kill("SIGKILL");
      await exit;
      JSON.parse(readFileSync(sessionFile(home, "s1.json"), "utf8"));
    }
    expect(await runHook(home, failingCall(99).before)).toEqual(silent);
    expect(spool(home).at(-1)).toMatchObject({ type: "hook", event: "PreToolUse" });
    expect(problems(home)).toEqual([]);
  });

  test("takes the lock of a process that is gone, and gives up on one that lives", async () => {
    const home = await newHome();
    await runHook(home, event("SessionStart"));
    const { pid } = spawnSync(process.execPath, ["-e", "0"]);
    writeFileSync(sessionFile(home, "s1.lock"), String(pid));
    expect(await runHook(home, failingCall(1).before)).toEqual(silent);
    expect(problems(home)).toEqual([]);
    writeFileSync(sessionFile(home, "s1.lock"), String(process.pid));
    expect(await runHook(home, failingCall(2).before)).toEqual(silent);
    expect(problems(home)).toEqual([
      expect.stringMatching(/^the hook for PreToolUse failed and let the agent continue: another hook has held/),
    ]);
  });

  test("begins anew with a state that is damaged, and says so", async () => {
    const home = await newHome();
    await runHook(home, event("SessionStart"));
    for (const text of ["", "{", '{"session":{"version":1,"agents":{"":7},"answered":[]}}', "null", '{"session":7}']) {
      writeFileSync(sessionFile(home, "s1.json"), text);
      expect(await runHook(home, failingCall(text.length).before)).toEqual(silent);
      const { session } = JSON.parse(readFileSync(sessionFile(home, "s1.json"), "utf8"));
      expect(Object.keys(session.agents[""].calls)).toEqual([`c${text.length}`]);
    }
    expect(problems(home)).toEqual([
      ...[1, 2].map(() => expect.stringContaining("s1.json is damaged; the session starts anew")),
      expect.stringContaining("the state of the session cannot be used and starts anew"),
      ...[1, 2].map(() => expect.stringContaining("s1.json is damaged; the session starts anew")),
    ]);
  });

  test("lets the agent continue where the home cannot be written", async () => {
    const path = await file("a-file", "x");
    expect(await runHook(join(path, "home"), failingCall(1).before)).toEqual(silent);
    const { stdout } = await runHook(join(path, "home"), event("SessionStart"));
    expect(stdout).toContain("Sheepdog cannot watch this session, and no limit holds: ");
  });

  test.skipIf(!existsSync("/dev/full"))("lets the agent continue on a full disk", async () => {
    const home = await newHome();
    await runHook(home, event("SessionStart"));
    rmSync(sessionFile(home, "s1.jsonl"));
    symlinkSync("/dev/full", sessionFile(home, "s1.jsonl"));
    expect(await runHook(home, failingCall(1).before)).toEqual(silent);
    expect(existsSync(sessionFile(home, "s1.lock"))).toBe(false);
  });

  test("follows the configuration, and the money in the recording", async () => {
    const home = await newHome();
    const recording = await file("recording.jsonl", "");
    const withRecording = (input: object) => ({ ...input, transcript_path: recording });
    await runHook(home, withRecording(event("SessionStart")));
    const usage = { input_tokens: 1_000_000, output_tokens: 10 };
    const reply = (id: string) => ({
      type: "assistant",
      timestamp: new Date().toISOString(),
      message: { id, model: "claude-sonnet-4-5", usage },
    });
    // The second half of the last line is written later.
    const [first, second] = [reply("msg_1"), reply("msg_2")].map((line) => JSON.stringify(line));
    writeFileSync(recording, `${first}\n${second?.slice(0, 60)}`);
    expect(await runHook(home, withRecording(failingCall(1).before))).toEqual(silent);
    expect(spool(home).findLast(({ type }) => type === "usage")).toMatchObject({ inputTokens: 1_000_000 });

    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "config.toml"), "[budget]\nper_session_limit_cents = 700\n");
    expect(await runHook(home, withRecording(failingCall(2).before))).toEqual(silent);
    writeFileSync(recording, `${first}\n${second}\n`);
    const { stdout } = await runHook(home, withRecording(failingCall(3).before));
    expect(JSON.parse(stdout)).toMatchObject({ continue: false, stopReason: expect.stringContaining("of $7.00") });

    const { days } = JSON.parse(readFileSync(join(home, "attach", "spent.json"), "utf8"));
    const [spent] = Object.values(days) as number[];
    expect(spent).toBeGreaterThan(7_000_000_000);
  });

  test("holds the limits beside a mistake of the configuration, and tells the user of it once", async () => {
    const home = await newHome();
    mkdirSync(home, { recursive: true });
    const recording = await file("recording.jsonl", "");
    const send = async (input: object) => {
      const { stdout } = await runHook(home, { ...input, transcript_path: recording });
      return stdout === "" ? {} : (JSON.parse(stdout) as Readonly<Record<string, unknown>>);
    };
    const budget = "[budget]\nper_session_limit_cents = 100\n";
    const mistake = /^Sheepdog: The configuration has a mistake: .*channles.* \$1\.00 a session\. Correct it/;
    writeFileSync(join(home, "config.toml"), `${budget}[channles.phone]\n`);
    expect(await send(event("SessionStart"))).toEqual({ systemMessage: expect.stringMatching(mistake) });
    expect(await send(event("UserPromptSubmit", { prompt: "Go." }))).toEqual({});
    const usage = { input_tokens: 1_000_000, output_tokens: 10 };
    const message = { id: "msg_1", model: "claude-sonnet-4-5", usage };
    writeFileSync(
      recording,
      `${JSON.stringify({ type: "assistant", timestamp: new Date().toISOString(), message })}\n`,
    );
    expect(await send(failingCall(1).before)).toMatchObject({ stopReason: expect.stringContaining("of $1.00") });
    expect(problems(home)).toEqual([expect.stringContaining("channles")]);

    writeFileSync(join(home, "config.toml"), budget);
    expect(await send(event("Notification"))).toEqual({});
    writeFileSync(join(home, "config.toml"), `${budget}[channles.phone]\n`);
    expect(await send(event("Notification"))).toEqual({ systemMessage: expect.stringMatching(mistake) });
    const line = spawnSync(process.execPath, [bin, "status-line"], {
      input: JSON.stringify({ session_id: "s1", cwd: "/" }),
      env: { PATH: process.env["PATH"], HOME: join(home, ".."), SHEEPDOG_HOME: home },
      encoding: "utf8",
    });
    expect(line.stdout).toContain("The configuration has a mistake: ");
  });
});
