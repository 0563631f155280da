import type { Settings } from "../../contract/index.ts";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Icon, type IconName } from "../../parts/icon.tsx";

type File = Settings["files"][number];

const TRUST = "sheepdog config trust";

/** The files of the configuration, whether they are trusted, and notes about what was ignored. */
export function ConfigurationFiles({ files, notes }: Pick<Settings, "files" | "notes">) {
  return (
    <section class="panel spaced" aria-labelledby="files">
      <div class="phead">
        <h2 id="files">Files</h2>
      </div>
      <ul class="files">
        {files.map((file) => (
          <FileRow key={file.path} file={file} />
        ))}
        {notes.map((note) => (
          <li key={note} class="note-row">
            <span class="lvl hint">
              <Icon name="hint" />
            </span>
            <p>{note}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function FileRow({ file }: { readonly file: File }) {
  const { icon, level, word, text } = stateOf(file);
  return (
    <li>
      <code class="path">{file.path}</code>
      <span class={`lvl ${level}`}>
        <Icon name={icon} />
        {word}
      </span>
      <span class="muted grow">{text}</span>
      {file.exists && file.isTrusted === false && (
        <span class="row">
          <code class="command">{TRUST}</code>
          <CopyButton text={TRUST} name="Copy the command" />
        </span>
      )}
    </li>
  );
}

interface FileState {
  readonly icon: IconName;
  readonly level: string;
  readonly word: string;
  readonly text: string;
}

function stateOf({ exists, isTrusted }: File): FileState {
  if (!exists) return { icon: "x", level: "quiet", word: "missing", text: "Nothing is set there." };
  if (isTrusted === null) return { icon: "person", level: "quiet", word: "yours", text: "" };
  if (isTrusted) return { icon: "recovered", level: "recovered", word: "trusted", text: "With its present content." };
  return {
    icon: "warn",
    level: "warn",
    word: "not trusted",
    text: "Until you trust it, it may only make limits stricter.",
  };
}
