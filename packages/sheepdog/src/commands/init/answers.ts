/** What goes into the file. */
export interface Answers {
  /** Absent where none was found and none named. */
  readonly model?: { readonly provider: string; readonly modelId: string; readonly baseUrl?: string };
  /** The most a month may cost; 0: no limit. */
  readonly monthlyCents: number;
}

/** The most a month may cost where nobody says anything. */
export const usualMonthlyCents = 2_000;
