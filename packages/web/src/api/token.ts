import { type ReadonlySignal, signal } from "@preact/signals";

const validity = signal(true);

/** Whether the server accepts the cookie of this page. */
export const isTokenValid: ReadonlySignal<boolean> = validity;

/** Notes what the status of an answer says about the cookie. */
export function noteStatus(status: number): void {
  validity.value = status !== 401;
}
