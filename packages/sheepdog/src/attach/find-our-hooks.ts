import type { Node } from "jsonc-parser";
import { type HookShape, isOurCommand } from "./hook-shape.ts";
import { propertyOf } from "./json-text/read-json.ts";

/** A hook of ours in a settings file. */
export interface OurHook {
  readonly event: string;
  /** The array of the event. */
  readonly list: Node;
  readonly handler: Node;
  /** The group of the hook where hooks are nested, and the array in it. */
  readonly group?: { readonly node: Node; readonly handlers: Node };
}

/** All hooks of ours, in the order of the file. What has an unknown form is passed over. */
export function findOurHooks(root: Node, { agent, form }: Pick<HookShape, "agent" | "form">): readonly OurHook[] {
  const events = propertyOf(root, "hooks");
  if (events?.type !== "object") return [];
  return (events.children ?? []).flatMap(({ children = [] }) => {
    const [key, list] = children;
    if (key === undefined || list?.type !== "array") return [];
    const event = String(key.value);
    const isOurs = (handler: Node) => isOurCommand(propertyOf(handler, "command")?.value, agent);
    if (form === "flat")
      return itemsOf(list)
        .filter(isOurs)
        .map((handler) => ({ event, list, handler }));
    return itemsOf(list).flatMap((node) => {
      const handlers = propertyOf(node, "hooks");
      if (handlers?.type !== "array") return [];
      const ours = itemsOf(handlers).filter(isOurs);
      return ours.map((handler) => ({ event, list, handler, group: { node, handlers } }));
    });
  });
}

function itemsOf(list: Node): readonly Node[] {
  return list.children ?? [];
}
