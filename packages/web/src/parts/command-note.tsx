import { Link } from "../app/router.tsx";
import type { CommandResult } from "../contract/index.ts";
import { Icon } from "./icon.tsx";

/** What came of a command, beside its button. Announced, because the button keeps the focus. */
export function CommandNote({ result }: { readonly result: CommandResult | undefined }) {
  return (
    <span class={`command-note ${result?.isDone === false ? "bad" : ""}`} role="status" hidden={result === undefined}>
      {result !== undefined && (
        <>
          <Icon name={result.isDone ? "check" : "warn"} />
          <span>
            {result.text}
            {result.isDone && result.runId !== null && (
              <>
                {" "}
                <Link class="link" href={`/runs/${encodeURIComponent(result.runId)}`}>
                  Open it
                </Link>
              </>
            )}
          </span>
        </>
      )}
    </span>
  );
}
