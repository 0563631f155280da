/** The bounds of everything that a server sends. A server is not trusted to stay within any of them. */
export const mcpLimits = {
  /** The longest single message, in bytes. */
  messageBytes: 10_485_760,
  /** Messages and bytes after our last request: more is a flood, and ends the connection. */
  messages: 20_000,
  bytes: 67_108_864,
  /** Lines that are no JSON-RPC message, until the connection ends. Some servers write logs to stdout. */
  badLines: 100,
  /** Pages of a list, and the entries and characters of all its pages. */
  pages: 50,
  listEntries: 200_000,
  listChars: 16_777_216,
  /** Tools of one server that the model gets. */
  tools: 128,
  /** Resources and prompts of one server that are listed. */
  listed: 1_000,
  /** Characters of a description, as the model reads it. */
  descriptionChars: 4_000,
  /** Characters of the schema of a tool. A tool with a longer one is left out. */
  schemaChars: 32_000,
  /** Characters of all definitions of a server. Tools beyond are left out. */
  definitionChars: 200_000,
  /** Levels of a schema. */
  schemaDepth: 16,
  /** How often the tools are listed again in one connection, because the server says that they have changed. */
  listings: 20,
  /** Characters of a result before it is cut to its tokens. */
  resultChars: 4_000_000,
  /** Restarts in a row. */
  restarts: 5,
  startMs: 30_000,
} as const;
