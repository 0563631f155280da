import { redactSecrets } from "@sheepdog/guardian";
import { plainText } from "../../render/terminal/plain-text.ts";
import { checks } from "./checks/index.ts";
import { type Check, type Finding, fail } from "./finding.ts";
import type { World } from "./world.ts";

/** A finding with the name of its check, in text that is safe to print. */
export interface Examined extends Finding {
  readonly name: string;
}

/** Looks at everything, one check after the other. One that breaks is a finding like any other. */
export async function* examine(world: World, all: readonly Check[] = checks): AsyncGenerator<Examined> {
  for (const { name, look } of all)
    for (const { status, sentence, fix } of await findingsOf(look, world)) {
      yield { name, status, sentence: safe(sentence), ...(fix === undefined ? {} : { fix: safe(fix) }) };
    }
}

async function findingsOf(look: Check["look"], world: World): Promise<readonly Finding[]> {
  try {
    return await look(world);
  } catch (error) {
    return [fail(`This could not be looked at: ${error instanceof Error ? error.message : String(error)}`)];
  }
}

function safe(text: string): string {
  return plainText(redactSecrets(text));
}
