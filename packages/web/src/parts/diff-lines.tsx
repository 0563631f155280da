import type { WireDiffLine } from "../contract/index.ts";

interface DiffLinesProps {
  readonly diff: { readonly path: string; readonly lines: readonly WireDiffLine[] };
}

const classes = { "+": "a", "-": "d", " ": "" } as const;

/** A change of a file, line by line. */
export function DiffLines({ diff: { path, lines } }: DiffLinesProps) {
  return (
    <div class="diff">
      <header>
        <code class="cut">{path}</code>
      </header>
      {lines.length === 0 ? (
        <p class="muted no-change">The file has this content already: nothing changes.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll inside it
        <pre tabIndex={0}>
          {lines.map(({ sign, text, number }, index) => (
            <span key={index} class={classes[sign]} data-n={number}>
              {sign} {text}
            </span>
          ))}
        </pre>
      )}
    </div>
  );
}
