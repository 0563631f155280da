import type { Fact } from "@sheepdog/agent";
import { redactSecrets } from "@sheepdog/guardian";
import { exitCode } from "../../exit-code.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { counted } from "../../render/terminal/amounts.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { shortDate } from "../../render/terminal/short-date.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { plainLines } from "../../render/timeline/plain-lines.ts";
import { isoTime } from "../../saved-runs/run-document.ts";
import { withStores } from "../../saved-runs/with-stores.ts";

interface Format {
  readonly json?: boolean;
}

/** Lists what agents remember, the newest first. */
export async function listFacts(format: Format, io: Io): Promise<number> {
  return withStores(io, async ({ stores }) =>
    printFacts(await stores.memory.list(), "nothing is remembered yet", format, io),
  );
}

const foundAtMost = 50;

/** The facts that fit best. */
export async function searchFacts(words: readonly string[], format: Format, io: Io): Promise<number> {
  return withStores(io, async ({ stores }) =>
    printFacts(await stores.memory.search(words.join(" "), foundAtMost), "nothing like that is remembered", format, io),
  );
}

const longestFact = 10_000;

/** Remembers something for all agents to come. */
export async function addFact(
  words: readonly string[],
  { json = false, tag = [] }: Format & { readonly tag?: readonly string[] },
  io: Io,
): Promise<number> {
  const text = redactSecrets(words.join(" ").trim()); // every model to come would read it
  const problem =
    text === ""
      ? "there is nothing to remember"
      : text.length > longestFact
        ? `that is too long to remember (${longestFact.toLocaleString("en-US")} characters at most)`
        : undefined;
  if (problem !== undefined) {
    await writeMessage(io, problem);
    return exitCode.usage;
  }
  const add = async ({
    stores,
  }: {
    readonly stores: { readonly memory: { write(fact: Omit<Fact, "id">): Promise<Fact> } };
  }) => {
    const fact = await stores.memory.write({ at: Date.now(), text, tags: tag.map((each) => redactSecrets(each)) });
    await write(
      io.stdout,
      json ? `${jsonText({ schemaVersion: 1, fact: factDocument(fact) })}\n` : `Remembered as ${fact.id}.\n`,
    );
    return exitCode.done;
  };
  return withStores(io, add, { createDatabase: true });
}

/** Forgets facts by their ids. */
export async function removeFacts(ids: readonly string[], io: Io): Promise<number> {
  return withStores(io, async ({ stores }) => {
    let code: number = exitCode.done;
    for (const id of ids) {
      if (await stores.memory.remove(id)) {
        await write(io.stdout, `Forgot ${plainText(id)}.\n`);
        continue;
      }
      await writeMessage(io, plainText(`there is no fact ${id.slice(0, 80)}; \`sheepdog memory list\` shows them`));
      code = exitCode.usage;
    }
    return code;
  });
}

/** Forgets everything. */
export async function clearFacts({ yes = false }: { readonly yes?: boolean }, io: Io): Promise<number> {
  return withStores(io, async ({ stores }) => {
    const facts = await stores.memory.list();
    if (!yes) {
      await writeMessage(io, `that would forget ${counted(facts.length, "fact")}, for good: --yes does it`);
      return exitCode.usage;
    }
    for (const { id } of facts) await stores.memory.remove(id);
    await write(io.stdout, `Forgot ${counted(facts.length, "fact")}.\n`);
    return exitCode.done;
  });
}

async function printFacts(facts: readonly Fact[], instead: string, { json = false }: Format, io: Io): Promise<number> {
  if (json) await write(io.stdout, `${jsonText({ schemaVersion: 1, facts: facts.map(factDocument) })}\n`);
  else if (facts.length === 0) await writeMessage(io, instead);
  else {
    const [style, width, now] = [styleFor(io.stdout, io.env), columnsOf(io.stdout, io.env), Date.now()];
    for (const { id, at, text, tags } of facts) {
      const head = `${style.bold(plainText(id))}  ${style.dim([shortDate(at, now), ...tags.map((tag) => `#${plainText(tag)}`)].join("  "))}`;
      await write(
        io.stdout,
        `${[head, ...plainLines(plainText(text), width - 2).map((line) => `  ${line}`)].join("\n")}\n`,
      );
    }
  }
  return exitCode.done;
}

function factDocument({ id, at, text, tags }: Fact): Readonly<Record<string, unknown>> {
  return { id, at: isoTime(at), text, tags };
}
