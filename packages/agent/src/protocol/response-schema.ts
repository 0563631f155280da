/** The form of a reply that is one JSON object, for providers that can enforce it. */
export interface ResponseSchema {
  readonly name: string;
  /** A JSON schema. Some providers want every property to be required, and no further ones. */
  readonly schema: Readonly<Record<string, unknown>>;
}
