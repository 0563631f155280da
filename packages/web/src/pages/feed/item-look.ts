import type { FeedItem } from "../../contract/index.ts";
import type { IconName } from "../../parts/icon.tsx";
import { levelIcons } from "../../parts/level-mark.tsx";

/** The glyph of an item of the activity, and the level whose colour it has. */
export interface ItemLook {
  readonly icon: IconName;
  readonly tone: "" | "hint" | "warn" | "block" | "halt" | "recovered" | "failed";
}

const icons: Readonly<Record<FeedItem["kind"], IconName>> = {
  guardian: "hint",
  limit: "limit",
  recovered: "recovered",
  approval: "gate",
  question: "wait",
  person: "person",
  call: "bash",
  edit: "edit",
  compaction: "fold",
  retry: "wait",
  goal: "check",
  plan: "fork",
  subagent: "fork",
  started: "play",
  ended: "check",
};

/** The look of an item. A refused call did not fail: it did not run. */
export function itemLook({ kind, level, status, statusText }: FeedItem): ItemLook {
  if (kind === "recovered") return { icon: "recovered", tone: "recovered" };
  if (kind === "limit") return { icon: "limit", tone: level ?? "warn" };
  if (level !== null) return { icon: levelIcons[level], tone: level };
  if (kind === "call" && statusText === "refused") return { icon: "block", tone: "" };
  if (kind === "ended" && status === "failed") return { icon: "x", tone: "failed" };
  return { icon: icons[kind], tone: "" };
}
