import { Link, location } from "../app/router.tsx";
import type { CommandResult } from "../contract/index.ts";
import { Icon } from "./icon.tsx";

/** What came of a command, beside its button. Announced, because the button keeps the focus. */
export function CommandNote({ result }: { readonly result: CommandResult | undefined }) {
  const runPath = result === undefined || result.runId === null ? null : `/runs/${encodeURIComponent(result.runId)}`;
  const isElsewhere = runPath !== null && runPath !== location.value.path;
  return (
    <span class={`command-note ${result?.isDone === false ? "bad" : ""}`} role="status" hidden={result === undefined}>
      {result !== undefined && (
        <>
          <Icon name={result.isDone ? "check" : "warn"} />
          <span>
            {result.text}
            {result.isDone && isElsewhere && (
              <>
                {" "}
                <Link class="link" href={runPath}>
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
