import { safeText } from "../render/terminal/safe-text.ts";
import type { CheckContext } from "./check-context.ts";
import { checks } from "./checks/index.ts";
import { type Check, type Finding, fail } from "./finding.ts";

/** A finding with the name of its check. Its text is safe to print. */
export interface CheckResult extends Finding {
  readonly name: string;
}

/** Runs the checks one after the other. A check that throws becomes a failed finding. */
export async function* runChecks(
  context: CheckContext,
  selected: readonly Check[] = checks,
): AsyncGenerator<CheckResult> {
  for (const { name, run } of selected)
    for (const { status, sentence, fix } of await findingsOf(run, context)) {
      yield { name, status, sentence: safeText(sentence), ...(fix === undefined ? {} : { fix: safeText(fix) }) };
    }
}

async function findingsOf(look: Check["run"], context: CheckContext): Promise<readonly Finding[]> {
  try {
    return await look(context);
  } catch (error) {
    return [fail(`This check failed: ${error instanceof Error ? error.message : String(error)}`)];
  }
}
