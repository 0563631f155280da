/** What goes wrong with a reply, as data: the same for a scripted model and for the wire server. */
export type Fault = Refusal | Interruption | Damage | Endless;

/** Faults that come instead of a streamed reply. */
export type Refusal =
  /** An HTTP error in the words of the wire format; `body` takes the place of those words. */
  | {
      readonly type: "status";
      readonly status: number;
      /** The header as it is sent: seconds, an HTTP date, or nonsense. */
      readonly retryAfter?: string | number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly message?: string;
      readonly body?: string;
    }
  /** A 400 that says, as the provider would, that the prompt does not fit the model. */
  | { readonly type: "context-too-long" }
  /** The same path at another origin. */
  | { readonly type: "redirect"; readonly to: string; readonly status?: 301 | 302 | 303 | 307 | 308 }
  /** A proxy's page, with status 200. */
  | { readonly type: "html" }
  /** The request is taken and never answered, not even with headers. */
  | { readonly type: "no-answer" };

/** Faults that end a reply. `after`: how many deltas come before; 0 is right after the headers, left out is after the last delta and before the finish. */
export type Interruption = {
  readonly after?: number;
} & (
  | { readonly type: "silence" }
  /** Nothing but signs of life: ping events where the format has them, comments where not. A model has none, so there it is silence. */
  | { readonly type: "pings"; readonly everyMs?: number }
  /** An error inside the stream; 529, overloaded, unless told. */
  | { readonly type: "error"; readonly status?: number; readonly message?: string }
  /** A clean end without a finish. */
  | { readonly type: "eof" }
  /** The connection is closed in the middle of the body. */
  | { readonly type: "cut" }
  /** The connection is reset. */
  | { readonly type: "reset" }
);

/** Faults of a single delta; all others arrive whole. `at`: which delta, from 0. */
export interface Damage {
  /** `malformed`: half of its JSON. `doubled`: its JSON twice in one event. `bad-utf8`: its text ends in bytes that are no UTF-8. */
  readonly type: "malformed" | "doubled" | "bad-utf8";
  readonly at?: number;
}

/** The text, or the thinking, goes on with the same words until the reader leaves. */
export interface Endless {
  readonly type: "endless";
  readonly text?: string;
  readonly of?: "text" | "thinking";
}

const families = {
  status: "refusal",
  "context-too-long": "refusal",
  redirect: "refusal",
  html: "refusal",
  "no-answer": "refusal",
  silence: "interruption",
  pings: "interruption",
  error: "interruption",
  eof: "interruption",
  cut: "interruption",
  reset: "interruption",
  malformed: "damage",
  doubled: "damage",
  "bad-utf8": "damage",
  endless: "endless",
} as const satisfies Record<Fault["type"], "refusal" | "interruption" | "damage" | "endless">;

/** The names of all faults. */
export const faultTypes: readonly string[] = Object.keys(families);

/** Whether the fault comes instead of a reply. */
export function isRefusal(fault: Fault): fault is Refusal {
  return families[fault.type] === "refusal";
}

/** Whether the fault ends a reply. */
export function isInterruption(fault: Fault): fault is Interruption {
  return families[fault.type] === "interruption";
}

/** Whether the fault spoils a single delta. */
export function isDamage(fault: Fault): fault is Damage {
  return families[fault.type] === "damage";
}
