import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

const chosen = signal<string | undefined>(undefined);

/** Names the page in the title of the window while a component is shown. Without it, the navigation's word is used. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    chosen.value = title;
    return () => {
      chosen.value = undefined;
    };
  }, [title]);
}

/** Writes the title of the window: how much waits for the user, the page, and the program. */
export function useWindowTitle(pageName: string, waiting: number): void {
  const title = `${waiting === 0 ? "" : `(${waiting}) `}${chosen.value ?? pageName} · Sheepdog`;
  useEffect(() => {
    document.title = title;
  }, [title]);
}
