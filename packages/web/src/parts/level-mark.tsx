import type { Level } from "../contract/index.ts";
import { Icon, type IconName } from "./icon.tsx";

export type MarkLevel = Level | "limit" | "recovered";

/** The glyph of each level: levels are told apart by shape too, not by colour alone. */
export const levelIcons: Readonly<Record<MarkLevel, IconName>> = {
  hint: "hint",
  warn: "warn",
  block: "block",
  halt: "halt",
  limit: "limit",
  recovered: "recovered",
};

const levelNames: Readonly<Record<MarkLevel, string>> = {
  hint: "Hint",
  warn: "Warn",
  block: "Block",
  halt: "Halt",
  limit: "Limit",
  recovered: "Recovered",
};

/** A level as glyph and word. */
export function LevelMark({ level, text = levelNames[level] }: { readonly level: MarkLevel; readonly text?: string }) {
  return (
    <span class={`lvl ${level}`}>
      <Icon name={levelIcons[level]} />
      {text}
    </span>
  );
}
