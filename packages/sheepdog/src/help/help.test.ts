import { outcomes } from "@sheepdog/agent";
import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { fakeIo } from "../../test/fake-io.ts";
import { main } from "../cli.ts";
import { commandGroups } from "../commands/index.ts";
import { createProgram } from "../program.ts";
import { examples } from "./examples.ts";
import { exitCodes } from "./exit-codes.ts";

async function helpOf(...argv: string[]): Promise<string> {
  const io = fakeIo();
  expect([await main(argv, io), io.err()]).toEqual([0, ""]);
  return io.out();
}

/** The program with commands that do nothing. */
function idleProgram(): Command {
  const program = createProgram(fakeIo(), { print: () => {}, setExitCode: () => {} });
  const removeActions = (command: Command): void => {
    for (const subcommand of command.commands) {
      subcommand.action(() => {});
      removeActions(subcommand);
    }
  };
  removeActions(program);
  return program;
}

describe("the help", () => {
  test("lists the commands in groups, and ends with the exit codes", async () => {
    const help = await helpOf("--help");
    const titles = [...help.matchAll(/^(\S.*):$/gm)].map(([, title]) => title);
    expect(titles).toEqual(["Options", ...Object.keys(commandGroups), "Exit codes"]);
    for (const line of help.split("\n")) expect(line.length, line).toBeLessThanOrEqual(80);
  });

  test("of every command has examples that can be typed", async () => {
    const names = idleProgram().commands.map((command) => command.name());
    expect(Object.keys(examples).sort()).toEqual([...names].sort());
    for (const name of names) {
      const help = await helpOf(name, "--help");
      expect(help).toMatch(/\nExamples:\n {2}\S/);
      for (const line of help.split("\n")) expect(line.length, line).toBeLessThanOrEqual(80);
    }
    for (const [line] of Object.values(examples).flat()) {
      const [, words = ""] = /\bsheepdog ([^<>)]+)/.exec(line) ?? [];
      const argv = [...words.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
      await expect(idleProgram().parseAsync(argv, { from: "user" }), line).resolves.toBeDefined();
    }
  });

  test("of run lists the exit codes of runs", async () => {
    expect(await helpOf("run", "--help")).toContain("\nExit codes:\n  0    success\n");
    const codes = new Set(
      exitCodes.flatMap(([code, meaning]) => [Number(code), ...(meaning.includes("143") ? [143] : [])]),
    );
    for (const { exitCode } of Object.values(outcomes)) expect(codes).toContain(exitCode);
    expect([...codes].sort((a, b) => a - b)).toEqual(
      [...new Set([...Object.values(outcomes).map(({ exitCode }) => exitCode), 2, 143])].sort((a, b) => a - b),
    );
  });

  test("has bold titles on a terminal, and none with NO_COLOR", async () => {
    const outputs = await Promise.all(
      [{}, { NO_COLOR: "1" }].map(async (env) => {
        const io = fakeIo({ isTTY: true, columns: 100, env: { TERM: "xterm", ...env } });
        await main(["--help"], io);
        return io.out();
      }),
    );
    expect(outputs.map((text) => text.includes("\u001b[1mMoney:\u001b[22m"))).toEqual([true, false]);
    expect(outputs[1]).not.toContain("\u001b");
  });

  test("fits into a narrow terminal", async () => {
    const io = fakeIo({ isTTY: true, columns: 40, env: { NO_COLOR: "1" } });
    await main(["--help"], io);
    const commands = io.out().slice(0, io.out().indexOf("Exit codes"));
    for (const line of commands.split("\n")) expect(line.length).toBeLessThanOrEqual(40);
  });

  test("of a command is the same by help and by --help", async () => {
    expect(await helpOf("help", "doctor")).toBe(await helpOf("doctor", "--help"));
  });
});

describe("an unknown command", () => {
  test.each([
    ["dokter", "sheepdog: there is no command dokter. Did you mean doctor?\n"],
    ["bark", "sheepdog: there is no command bark; see all commands with: sheepdog --help\n"],
    ["\u001b[2Jba\u202erk", "sheepdog: there is no command ba rk; see all commands with: sheepdog --help\n"],
  ])("%j is reported in one sentence", async (word, sentence) => {
    const io = fakeIo();
    expect([await main([word], io), io.out(), io.err()]).toEqual([2, "", sentence]);
  });

  test("is shortened", async () => {
    const io = fakeIo();
    expect(await main(["x".repeat(4_096)], io)).toBe(2);
    expect(io.err().length).toBeLessThan(500);
  });
});
