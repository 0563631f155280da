import type { Stores } from "@sheepdog/agent";
import { exitCode } from "../../exit-code.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { counted } from "../../render/terminal/amounts.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { withStores } from "../../saved-runs/with-stores.ts";

/** Where entries are stored, and the command that lists them. */
const kinds = {
  fact: { store: "memory", listCommand: "sheepdog memory list" },
  lesson: { store: "lessons", listCommand: "sheepdog memory safety" },
} as const;
type Kind = keyof typeof kinds;

/** Removes entries by their ids; `last` is the newest. */
export async function removeEntries(kind: Kind, ids: readonly string[], io: Io): Promise<number> {
  const remove = async ({ stores }: { readonly stores: Stores }) => {
    const store = stores[kinds[kind].store];
    let code: number = exitCode.done;
    const [newest] = await store.list();
    for (const named of ids) {
      const id = named === "last" && newest !== undefined ? newest.id : named;
      if (await store.remove(id)) {
        await write(io.stdout, `Removed ${plainText(id)}.\n`);
        continue;
      }
      const sentence = `there is no ${kind} ${id.slice(0, 80)}; see all with: ${kinds[kind].listCommand}`;
      await writeMessage(io, plainText(sentence));
      code = exitCode.usage;
    }
    return code;
  };
  return withStores(io, remove, { isWriting: true });
}

/** Removes all entries, if the user has agreed with `--yes`. */
export async function clearEntries(kind: Kind, { yes = false }: { readonly yes?: boolean }, io: Io): Promise<number> {
  const clear = async ({ stores }: { readonly stores: Stores }) => {
    const store = stores[kinds[kind].store];
    const entries = await store.list();
    const what = counted(entries.length, kind);
    if (!yes) {
      await writeMessage(io, `this would remove ${what} permanently; add --yes to do it`);
      return exitCode.usage;
    }
    for (const { id } of entries) await store.remove(id);
    await write(io.stdout, `Removed ${what}.\n`);
    return exitCode.done;
  };
  return withStores(io, clear, { isWriting: yes });
}
