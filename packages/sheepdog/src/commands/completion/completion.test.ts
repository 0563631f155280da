import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Argument, Command, Option } from "commander";
import { describe, expect, test } from "vitest";
import { fakeIo } from "../../../test/fake-io.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { main } from "../../cli.ts";
import { commandWords } from "./command-words.ts";
import { completionCommand, type Shell } from "./completion-command.ts";

const file = scratchFolder();

/** A program with every kind of command, option and argument. */
function exampleProgram(): Command {
  const program = new Command("sheepdog").version("1", "-v, --version");
  program
    .command("run")
    .description('it\'s a run: with words that "quote" $HOME `id`')
    .argument("[prompt...]")
    .option("--json", "one document")
    .option("-f, --file <path>", "a prompt")
    .option("--max-cost <dollars>", "a limit")
    .addOption(new Option("--mode <mode>", "how").choices(["guide", "advise"]))
    .addOption(new Option("--hidden", "not for everybody").hideHelp());
  const config = program.command("config").description("settings");
  config.command("show").description("print them").option("--origin", "and where from");
  config.command("set").description("change one").argument("<key>").argument("<value>");
  program.command("analyze").description("look back").argument("[paths...]");
  program
    .command("completion")
    .description("this")
    .addArgument(new Argument("<shell>").choices(["bash", "zsh", "fish"]));
  program.command("secret", { hidden: true });
  return program;
}

async function scriptFor(shell: Shell, program = exampleProgram()): Promise<string> {
  const io = fakeIo();
  expect([await completionCommand(shell, program, io), io.err()]).toEqual([0, ""]);
  return io.out();
}

test("the words come from the program, without hidden commands", () => {
  const { commands } = commandWords(exampleProgram());
  expect(commands.map(({ name }) => name)).toEqual(["run", "config", "analyze", "completion", "help"]);
  expect(commands[0]?.options.map(({ flags, value }) => [flags.join(" "), value?.type])).toEqual([
    ["--json", undefined],
    ["-f --file", "path"],
    ["--max-cost", "any"],
    ["--mode", "choices"],
    ["-h --help", undefined],
  ]);
});

describe("sheepdog completion", () => {
  test("needs a supported shell", async () => {
    for (const [argv, sentence] of [
      [["completion"], "the argument <shell> is missing"],
      [["completion", "tcsh"], 'shell is "tcsh"; choose bash, zsh, fish'],
    ] as const) {
      const io = fakeIo();
      expect([await main(argv, io), io.out()]).toEqual([2, ""]);
      expect(io.err()).toContain(sentence);
    }
  });

  test("prints only the script, with every command, and needs no home folder or configuration", async () => {
    for (const shell of ["bash", "zsh", "fish"]) {
      const io = fakeIo({ env: { SHEEPDOG_HOME: "/nowhere/at/all", SHEEPDOG_AGENT__MAX_TURNS: "broken" } });
      expect([await main(["completion", shell], io), io.err()]).toEqual([0, ""]);
      for (const word of ["analyze", "demo", "completion", "fail-on", "cause"]) expect(io.out()).toContain(word);
    }
  });

  test("is quiet if the reader closes the pipe", async () => {
    const io = fakeIo({ failing: { stdout: "EPIPE" } });
    expect([await main(["completion", "bash"], io), io.err()]).toEqual([0, ""]);
  });
});

/** Command lines whose last word is completed, and the expected offers. */
const typed: readonly (readonly [line: readonly string[], offered: readonly string[]])[] = [
  [["ru"], ["run"]],
  [["c"], ["completion", "config"]],
  [["sec"], []],
  [["help", "an"], ["analyze"]],
  [
    ["config", "s"],
    ["set", "show"],
  ],
  [["config", "show", "--o"], ["--origin"]],
  [
    ["run", "--m"],
    ["--max-cost", "--mode"],
  ],
  [["run", "--hid"], []],
  [
    ["run", "--mode", ""],
    ["advise", "guide"],
  ],
  [["run", "--mode", "guide", "--js"], ["--json"]],
  [["run", "--file", "config", "--js"], ["--json"]],
  [["run", "--max-cost", "r"], []],
  [["completion", "z"], ["zsh"]],
  [
    ["run", "--file", "no"],
    ["notes one.md", "nothing.md"],
  ],
  [
    ["analyze", "no"],
    ["notes one.md", "nothing.md"],
  ],
];

async function folderWithFiles(): Promise<string> {
  await file("notes one.md", "");
  return (await file("nothing.md", "")).replace(/\/nothing\.md$/, "");
}

function isThere(shell: string): boolean {
  const there = spawnSync(shell, ["--version"]).status === 0;
  if (!there) console.warn(`There is no ${shell}: its completion is not tried. Run: apt-get install -y ${shell}`);
  return there;
}

test.each(["bash", "zsh", "fish"].filter(isThere))(
  "the script of the real program is one that %s can read",
  async (shell) => {
    const io = fakeIo();
    await main(["completion", shell], io);
    const { status, stderr } = spawnSync(shell, ["-n", await file("script", io.out())], { encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
  },
);

describe.skipIf(!isThere("bash"))("in bash", () => {
  async function complete(words: readonly string[], script: string): Promise<readonly string[]> {
    const path = await file("completion.bash", script);
    const program = [
      'source "$1"; shift; COMP_WORDS=(sheepdog "$@"); COMP_CWORD=$#; _sheepdog',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: bash expands it
      'printf "%s\\n" "${COMPREPLY[@]}"',
    ].join("; ");
    const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", program, "bash", path, ...words], {
      cwd: await folderWithFiles(),
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    return stdout.split("\n").filter(Boolean).sort();
  }

  test.each(typed)("%j is completed with %j", async (line, offered) => {
    expect(await complete(line, await scriptFor("bash"))).toEqual(offered);
  });

  test("a value after an equals sign is completed, although bash splits it", async () => {
    expect(await complete(["run", "--mode", "="], await scriptFor("bash"))).toEqual(["advise", "guide"]);
    expect(await complete(["run", "--mode", "=", "g"], await scriptFor("bash"))).toEqual(["guide"]);
  });
});

describe.skipIf(!isThere("fish"))("in fish", () => {
  const fish = "fish";

  test.each(typed)("%j is completed with %j", async (line, offered) => {
    const path = await file("completion.fish", await scriptFor("fish"));
    const words = ["sheepdog", ...line].join(" ");
    const { stdout, stderr } = spawnSync(fish, ["--no-config", "-c", `source ${path}; complete -C '${words}'`], {
      cwd: await folderWithFiles(),
      encoding: "utf8",
      env: { ...process.env, HOME: await folderWithFiles() },
    });
    expect(stderr).toBe("");
    const found = stdout.split("\n").filter(Boolean);
    expect(found.map((each) => each.split("\t")[0]?.replaceAll("\\ ", " ")).sort()).toEqual(offered);
  });
});

describe.skipIf(!isThere("zsh"))("in zsh", () => {
  /**
   * Types lines into a zsh that has a terminal of its own, each with a tab; what zsh has to offer is noted from inside.
   */
  const driver = `
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'LISTMAX=0; cd $HOME; source $HOME/completion.zsh'
zpty -w z 'compadd() { local -a all; builtin compadd -O all "$@"; print -rl -- $all >> offered; builtin compadd "$@" }'
zpty -w z 'PROMPT=rea""dy'
for line in "$@" end; do
  zpty -r z said '*ready*'
  zpty -w z "print -r -- '> $line' >> offered"
  zpty -r z said '*ready*'
  zpty -w z "sheepdog $line"$'\\t\\x15:'
done
zpty -d z
`;

  test("every line is completed as in the other shells", async () => {
    const folder = await folderWithFiles();
    await file("completion.zsh", await scriptFor("zsh"));
    const lines = typed.map(([line]) => line.join(" "));
    spawnSync("zsh", ["-f", "-c", driver, "zsh", ...lines], {
      env: { PATH: process.env["PATH"], HOME: folder, TERM: "xterm" },
      timeout: 30_000,
    });
    const blocks = readFileSync(`${folder}/offered`, "utf8").split(/^> /m).slice(1, -1);
    const offered = blocks.map((block) => {
      const [line = "", ...words] = block.split("\n");
      return [line.split(" "), [...new Set(words.filter(Boolean).map((word) => word.replaceAll("\\", "")))].sort()];
    });
    expect(offered).toEqual(typed);
  });
});
