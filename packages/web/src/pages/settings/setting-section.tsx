import type { Settings } from "../../contract/index.ts";
import { CopyButton } from "../../parts/copy-button.tsx";
import { MarkedText } from "./marked-text.tsx";
import { keyParts, type Setting, setCommand } from "./setting-filter.ts";

/** A table of the configuration with its settings. */
export function SettingSection({ section: { name, settings } }: { readonly section: Settings["sections"][number] }) {
  const id = `section-${name}`;
  return (
    <section class="panel spaced" aria-labelledby={id}>
      <div class="phead">
        <h2 id={id}>{/^[\w.-]+$/.test(name) ? <code>[{name}]</code> : name}</h2>
      </div>
      <ul class="settings key-rows">
        {settings.map((setting, index) => (
          <SettingRow
            key={setting.key}
            setting={setting}
            section={name}
            isDescribed={setting.description !== settings[index - 1]?.description}
          />
        ))}
      </ul>
    </section>
  );
}

interface SettingRowProps {
  readonly setting: Setting;
  readonly section: string;
  /** Entries of one table have the same description: it stands at the first. */
  readonly isDescribed: boolean;
}

function SettingRow({ setting, section, isDescribed }: SettingRowProps) {
  const { key, value, defaultValue, origin, isDefault, description } = setting;
  const { before, name } = keyParts(key, section);
  return (
    <li class={isDefault ? "" : "changed"}>
      <p class="key">
        <code>
          {before !== "" && <span class="faint">{before}</span>}
          {name}
        </code>
        {!isDefault && <span class="tag">changed</span>}
      </p>
      {isDescribed && (
        <p class="about">
          <MarkedText text={description} />
        </p>
      )}
      <p class="value">
        {value === "" ? <span class="faint">not set</span> : <code>{value}</code>}
        {!isDefault && defaultValue !== null && defaultValue !== value && (
          <span class="faint">
            default <code>{defaultValue}</code>
          </span>
        )}
      </p>
      <p class="origin faint">{origin}</p>
      <CopyButton class="btn quiet small" text={setCommand(setting)} name={`Copy the command that sets ${key}`} />
    </li>
  );
}
