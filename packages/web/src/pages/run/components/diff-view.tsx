import { useState } from "preact/hooks";
import type { WireDiffLine } from "../../../contract/index.ts";
import { visibleText } from "../../../format/visible-text.ts";

const MAX_LINES = 30;
const classes = { "+": "a", "-": "d", " ": "" } as const;

/** The change of a file. A long one is shown in part. */
export function DiffView({ lines }: { readonly lines: readonly WireDiffLine[] }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? lines : lines.slice(0, MAX_LINES);
  return (
    <div class="diff">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region can take the focus */}
      <pre tabIndex={0}>
        {shown.map(({ sign, text, number }) => (
          <span class={classes[sign]} data-n={number}>
            {sign !== " " && <span class="vh">{sign === "+" ? "added: " : "removed: "}</span>}
            {text === "" ? " " : visibleText(text)}
          </span>
        ))}
      </pre>
      {shown.length < lines.length && (
        <button type="button" class="btn quiet small" onClick={() => setWhole(true)}>
          Show {lines.length - shown.length} more lines
        </button>
      )}
    </div>
  );
}

/** How many lines a change adds and removes: "+2 −1". */
export function ChangeCount({ lines }: { readonly lines: readonly WireDiffLine[] }) {
  const added = lines.filter(({ sign }) => sign === "+").length;
  const removed = lines.filter(({ sign }) => sign === "-").length;
  return (
    <span class="st">
      {added > 0 && <span class="ok">+{added}</span>}
      {removed > 0 && <span class="bad">−{removed}</span>}
    </span>
  );
}
