/** A fault of a reply, as data: the same for the scripted model and the wire server. */
export type Fault = Refusal | Interruption | Damage | Endless;

/** Faults that replace the streamed reply. */
export type Refusal =
  /** An HTTP error with the body of the wire format, or with `body`. */
  | {
      readonly type: "status";
      readonly status: number;
      /** The Retry-After header: seconds, an HTTP date, or nonsense. */
      readonly retryAfter?: string | number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly message?: string;
      readonly body?: string;
    }
  /** The provider's own 400 for a prompt that is too long. */
  | { readonly type: "context-too-long" }
  /** A redirect to the same path at another origin. */
  | { readonly type: "redirect"; readonly to: string; readonly status?: 301 | 302 | 303 | 307 | 308 }
  /** The HTML page of a proxy, with status 200. */
  | { readonly type: "html" }
  /** The server accepts the request and never answers, not even with headers. */
  | { readonly type: "no-answer" };

/**
 * Faults that end a reply. `after` is the number of deltas before it: 0 is right after the headers; absent is after the
 * last delta and before the finish.
 */
export type Interruption = {
  readonly after?: number;
} & (
  | { readonly type: "silence" }
  /** Only pings: ping events where the format has them, otherwise comments. From the scripted model it is silence. */
  | { readonly type: "pings"; readonly everyMs?: number }
  /** An error inside the stream; default: 529, overloaded. */
  | { readonly type: "error"; readonly status?: number; readonly message?: string }
  /** A clean end without a finish. */
  | { readonly type: "eof" }
  /** The connection is closed in the middle of the body. */
  | { readonly type: "cut" }
  /** The connection is reset. */
  | { readonly type: "reset" }
);

/** Faults of a single delta; all others arrive intact. `at` is the index of the delta, from 0. */
export interface Damage {
  /** `malformed`: half of its JSON. `doubled`: its JSON twice in one event. `bad-utf8`: invalid UTF-8 at its end. */
  readonly type: "malformed" | "doubled" | "bad-utf8";
  readonly at?: number;
}

/** The text, or the thinking, repeats the same words until the reader disconnects. */
export interface Endless {
  readonly type: "endless";
  readonly text?: string;
  readonly of?: "text" | "thinking";
}

const categories = {
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

/** The types of all faults. */
export const faultTypes: readonly string[] = Object.keys(categories);

/** Whether the fault replaces the reply. */
export function isRefusal(fault: Fault): fault is Refusal {
  return categories[fault.type] === "refusal";
}

/** Whether the fault ends a reply. */
export function isInterruption(fault: Fault): fault is Interruption {
  return categories[fault.type] === "interruption";
}

/** Whether the fault damages a single delta. */
export function isDamage(fault: Fault): fault is Damage {
  return categories[fault.type] === "damage";
}
