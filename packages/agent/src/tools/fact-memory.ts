/** A remembered fact. `at` is in milliseconds since the epoch. */
export interface RememberedFact {
  readonly at: number;
  readonly text: string;
  readonly tags: readonly string[];
}

/** The storage behind the memory tools. */
export interface FactMemory {
  write(fact: RememberedFact): Promise<{ readonly id: string }>;
  /** The best matches first. */
  search(query: string, limit: number): Promise<readonly RememberedFact[]>;
}
