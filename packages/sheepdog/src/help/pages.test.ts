import { readdirSync, readFileSync } from "node:fs";
import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { fakeIo } from "../../test/fake-io.ts";
import { createProgram } from "../program.ts";

const root = new URL("../../../../", import.meta.url);
const pages = ["README.md", ...readdirSync(new URL("docs/", root)).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith(".md"),
);

/** The lines of a page that start the program, without comments, pipes and redirections. */
function commandLines(page: string): readonly string[] {
  const blocks = [...readFileSync(new URL(page, root), "utf8").matchAll(/```sh\n(.*?)```/gs)];
  return blocks
    .flatMap(([, text = ""]) => text.split("\n"))
    .flatMap((line) => /^(?:npx )?sheepdog ((?:"[^"]*"|[^"#|><])*)/.exec(line)?.[1]?.trim() ?? []);
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

describe("the commands of the docs", () => {
  test.each(pages.filter((page) => commandLines(page).length > 0))("%s can be typed", async (page) => {
    for (const line of commandLines(page)) {
      const argv = [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
      await expect(idleProgram().parseAsync(argv, { from: "user" }), line).resolves.toBeDefined();
    }
  });
});
