import { counted } from "../../../format/amounts.ts";
import { clock } from "../../../format/times.ts";
import { Icon } from "../../../parts/icon.tsx";
import type { FileUse } from "../model/files.ts";

/** The files that the run changed or read, each with a link to its newest call. */
export function FilesTab({
  files,
  onTab,
}: {
  readonly files: readonly FileUse[];
  readonly onTab: (tab: "story") => void;
}) {
  if (files.length === 0) return <p class="empty">No file was read or changed in this run.</p>;
  return (
    <ul class="lines">
      {files.map(({ path, reads, edits, added, removed, seq, at }) => (
        <li>
          <a class="line" href={`#e${seq}`} onClick={() => onTab("story")}>
            <Icon name={edits > 0 ? "edit" : "read"} class="faint" />
            <code class="cut grow">{path}</code>
            <span class="st">
              {added > 0 && <span class="ok">+{added}</span>} {removed > 0 && <span class="bad">−{removed}</span>}
            </span>
            <span class="faint num desk">
              {[...(edits > 0 ? [counted(edits, "edit")] : []), ...(reads > 0 ? [counted(reads, "read")] : [])].join(
                ", ",
              )}
            </span>
            <time class="faint num">{clock(at)}</time>
          </a>
        </li>
      ))}
    </ul>
  );
}
