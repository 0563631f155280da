import { redactSecrets } from "@sheepdog/guardian";
import { plainText } from "../../render/terminal/plain-text.ts";
import type { CheckContext } from "./check-context.ts";
import { checks } from "./checks/index.ts";
import { type Check, type Finding, fail } from "./finding.ts";

/** A finding with the name of its check, in text that is safe to print. */
export interface CheckResult extends Finding {
  readonly name: string;
}

/** Looks at everything, one check after the other. One that breaks is a finding like any other. */
export async function* runChecks(world: CheckContext, all: readonly Check[] = checks): AsyncGenerator<CheckResult> {
  for (const { name, run } of all)
    for (const { status, sentence, fix } of await findingsOf(run, world)) {
      yield { name, status, sentence: safe(sentence), ...(fix === undefined ? {} : { fix: safe(fix) }) };
    }
}

async function findingsOf(look: Check["run"], world: CheckContext): Promise<readonly Finding[]> {
  try {
    return await look(world);
  } catch (error) {
    return [fail(`This could not be looked at: ${error instanceof Error ? error.message : String(error)}`)];
  }
}

function safe(text: string): string {
  return plainText(redactSecrets(text));
}
