import type { HookAgent } from "@sheepdog/integrations/hooks";
import type { Home } from "../home.ts";
import { addHooks } from "./add-hooks.ts";
import type { Scope } from "./agents.ts";
import type { Edited } from "./edited.ts";
import { findOurHooks } from "./find-our-hooks.ts";
import { hookCommand, statusLineCommand } from "./hook-command.ts";
import { hookShape } from "./hook-shape.ts";
import { readJson } from "./json-text/read-json.ts";
import { isOurPlugin, readPlugin } from "./opencode-plugin.ts";
import { removeHooks } from "./remove-hooks.ts";
import { addStatusLine, removeStatusLine, statusLineOwner } from "./status-line-setting.ts";

/** How Sheepdog is put into the settings of one agent, and taken out. Texts only. */
export interface SettingsEditor {
  /** The text with Sheepdog; of a file that does not exist if undefined. */
  add(text: string | undefined): Edited;
  /** The text without Sheepdog. `before` is the text from before it was attached, if that is known. */
  remove(text: string, before: string | undefined): Edited;
  /** Whether anything of Sheepdog is in it. */
  isIn(text: string): boolean;
  /** Whether a text without Sheepdog says nothing, so that its file can go if Sheepdog has made it. */
  isBlank(text: string): boolean;
}

/** What the settings shall have. */
export interface Wanted {
  readonly agent: HookAgent;
  readonly scope: Scope;
  /** Claude Code only: also our status line. */
  readonly statusLine: boolean;
}

/** Creates the editor for the settings of an agent. */
export function settingsEditor({ agent, scope, statusLine }: Wanted, home: Home): SettingsEditor {
  const command = hookCommand(agent, scope, home);
  if (agent === "opencode") return pluginEditor(home);
  const shape = hookShape(agent, command);
  return {
    add: withoutMark((text) => {
      const added = addHooks(text, shape);
      return added.ok && statusLine ? addStatusLine(added.text, statusLineCommand(home)) : added;
    }),
    remove: (content, before = "") =>
      withoutMark((text) => {
        const removed = removeHooks(text, shape, plainOf(before));
        return removed.ok && agent === "claude-code" ? removeStatusLine(removed.text) : removed;
      })(content),
    isIn: (content) => {
      const json = readJson(plainOf(content));
      const isStatusLine = agent === "claude-code" && statusLineOwner(plainOf(content)) === "sheepdog";
      const isHook = json.ok ? findOurHooks(json.root, shape).length > 0 : content.includes("sheepdog-hook");
      return isHook || isStatusLine;
    },
    isBlank: (content) => {
      const text = plainOf(content).replace(/\s/g, "");
      return ["", "{}", JSON.stringify(shape.header)].includes(text);
    },
  };
}

function pluginEditor(home: Home): SettingsEditor {
  return {
    add: (text) =>
      text === undefined || isOurPlugin(text)
        ? readPlugin(home)
        : { ok: false, problem: "exists and is not from Sheepdog; move it away" },
    remove: (text) => ({ ok: true, text: isOurPlugin(text) ? "" : text }),
    isIn: isOurPlugin,
    isBlank: (text) => text === "",
  };
}

const byteOrderMark = "\uFEFF";

/** Edits a text without its byte order mark, which stays. */
function withoutMark(edit: (text: string) => Edited): (content: string | undefined) => Edited {
  return (content = "") => {
    const edited = edit(plainOf(content));
    return edited.ok && content.startsWith(byteOrderMark) ? { ok: true, text: byteOrderMark + edited.text } : edited;
  };
}

function plainOf(content: string): string {
  return content.startsWith(byteOrderMark) ? content.slice(1) : content;
}
