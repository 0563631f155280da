import type { Fact } from "@sheepdog/agent";
import { redactSecrets } from "@sheepdog/guardian/secrets";
import { exitCode } from "../../exit-code.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { shortDate } from "../../render/terminal/short-date.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { plainLines } from "../../render/timeline/plain-lines.ts";
import { isoTime } from "../../saved-runs/run-document.ts";
import { type StoreContext, withStores } from "../../saved-runs/with-stores.ts";

interface Format {
  readonly json?: boolean;
}

/** Lists the facts that agents remember, newest first. */
export async function listFacts(format: Format, io: Io): Promise<number> {
  return withStores(io, async ({ stores }) =>
    printFacts(await stores.memory.list(), "there are no facts yet", format, io),
  );
}

const MAX_FOUND = 50;

/** Lists the facts that match best. */
export async function searchFacts(words: readonly string[], format: Format, io: Io): Promise<number> {
  return withStores(io, async ({ stores }) =>
    printFacts(await stores.memory.search(words.join(" "), MAX_FOUND), "no fact matches", format, io),
  );
}

const MAX_FACT_CHARS = 10_000;

/** Adds a fact for all later runs. */
export async function addFact(
  words: readonly string[],
  { json = false, tag = [] }: Format & { readonly tag?: readonly string[] },
  io: Io,
): Promise<number> {
  const text = redactSecrets(words.join(" ").trim()); // every later model reads it
  if (text === "" || text.length > MAX_FACT_CHARS) {
    const tooLong = `the fact is too long; it may have ${MAX_FACT_CHARS.toLocaleString("en-US")} characters`;
    await writeMessage(io, text === "" ? "the fact is empty" : tooLong);
    return exitCode.usage;
  }
  const add = async ({ stores }: StoreContext) => {
    const fact = await stores.memory.write({ at: Date.now(), text, tags: tag.map((each) => redactSecrets(each)) });
    await write(
      io.stdout,
      json ? `${jsonText({ schemaVersion: 1, fact: factDocument(fact) })}\n` : `Added ${fact.id}.\n`,
    );
    return exitCode.done;
  };
  return withStores(io, add, { isWriting: true, createDatabase: true });
}

async function printFacts(
  facts: readonly Fact[],
  emptyMessage: string,
  { json = false }: Format,
  io: Io,
): Promise<number> {
  if (json) await write(io.stdout, `${jsonText({ schemaVersion: 1, facts: facts.map(factDocument) })}\n`);
  else if (facts.length === 0) await writeMessage(io, emptyMessage);
  else {
    const [style, width, now] = [styleFor(io.stdout, io.env), columnsOf(io.stdout, io.env), Date.now()];
    for (const { id, at, text, tags } of facts) {
      const details = [shortDate(at, now), ...tags.map((tag) => `#${plainText(tag)}`)].join("  ");
      const head = `${style.bold(plainText(id))}  ${style.dim(details)}`;
      const lines = plainLines(plainText(text), width - 2).map((line) => `  ${line}`);
      await write(io.stdout, `${[head, ...lines].join("\n")}\n`);
    }
  }
  return exitCode.done;
}

function factDocument({ id, at, text, tags }: Fact): Readonly<Record<string, unknown>> {
  return { id, at: isoTime(at), text, tags };
}
