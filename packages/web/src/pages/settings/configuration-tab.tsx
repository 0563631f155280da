import { useRef, useState } from "preact/hooks";
import { load } from "../../api/client.ts";
import { useShortcuts } from "../../app/keys.ts";
import type { Settings } from "../../contract/index.ts";
import { counted } from "../../format/amounts.ts";
import { Icon } from "../../parts/icon.tsx";
import { FramePanel, Loaded } from "../../parts/loaded.tsx";
import { useDocument } from "../../parts/use-document.ts";
import { ConfigurationFiles } from "./configuration-files.tsx";
import { filterSections } from "./setting-filter.ts";
import { SettingSection } from "./setting-section.tsx";

/** All values of the configuration, with a filter. */
export function ConfigurationTab() {
  const settings = useDocument("settings", (signal) => load("settings", { signal }));
  return (
    <Loaded
      document={settings}
      frame={
        <>
          <FramePanel lines={2} />
          <FramePanel lines={8} />
          <FramePanel lines={8} />
        </>
      }
    >
      {(value) => (
        <>
          <Problems problems={value.problems} />
          <ConfigurationFiles files={value.files} notes={value.notes} />
          {value.sections.length > 0 && <Sections sections={value.sections} />}
        </>
      )}
    </Loaded>
  );
}

function Problems({ problems }: Pick<Settings, "problems">) {
  if (problems.length === 0) return null;
  return (
    <section class="panel spaced problems" aria-labelledby="problems">
      <h2 id="problems">
        <Icon name="warn" />
        The configuration is not valid. No run starts until it is mended.
      </h2>
      <ul>
        {problems.map((problem) => (
          <li key={problem}>
            <code>{problem}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Sections({ sections }: Pick<Settings, "sections">) {
  const [text, setText] = useState("");
  const [isChangedOnly, setChangedOnly] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useShortcuts("Configuration", [{ keys: "/", label: "Filter", action: () => field.current?.focus() }]);
  const all = sections.flatMap(({ settings }) => settings);
  const found = filterSections(sections, { text, isChangedOnly });
  const count = found.reduce((total, { settings }) => total + settings.length, 0);
  const clear = () => {
    setText("");
    setChangedOnly(false);
    field.current?.focus();
  };
  return (
    <>
      <div class="filters">
        <input
          ref={field}
          class="field"
          type="search"
          placeholder="Filter by key, value or origin"
          aria-label="Filter settings"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") event.currentTarget.blur();
          }}
        />
        <label class="switch">
          <input
            type="checkbox"
            checked={isChangedOnly}
            onChange={(event) => setChangedOnly(event.currentTarget.checked)}
          />
          Only changed <span class="faint">{all.filter(({ isDefault }) => !isDefault).length}</span>
        </label>
        <p class="faint" role="status">
          {count === all.length ? counted(count, "setting") : `${count} of ${counted(all.length, "setting")}`}
        </p>
      </div>
      {found.length === 0 && (
        <p class="panel pad">
          {text === "" ? "Every setting has its default." : `No setting matches "${text}".`}{" "}
          <button type="button" class="link plain" onClick={clear}>
            Clear the filter.
          </button>
        </p>
      )}
      <div class="setting-sections">
        {found.map((section) => (
          <SettingSection key={section.name} section={section} />
        ))}
      </div>
    </>
  );
}
