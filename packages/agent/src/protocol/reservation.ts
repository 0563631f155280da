/** A reserved request that may be sent, or the reason why it may not. */
export type Reservation =
  | {
      readonly ok: true;
      readonly id: string;
      readonly at: number;
      /** The longest reply that the budget covers, if that is less than requested. */
      readonly maxOutputTokens?: number;
    }
  | { readonly ok: false; readonly problem: string };
