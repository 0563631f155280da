import { signal } from "@preact/signals";

/** The dialog of the frame that is open; one at a time. */
export const openDialog = signal<"search" | "keys" | "new-run" | undefined>(undefined);
