import { anthropicDocumentReader, anthropicLineReader } from "./anthropic-messages/messages-readers.ts";
import { claudeCodeReader } from "./claude-code/claude-code-reader.ts";
import { claudeStreamDocumentReader, claudeStreamReader } from "./claude-stream/stream-reader.ts";
import { openaiDocumentReader, openaiLineReader } from "./openai/openai-readers.ts";
import { piReader } from "./pi/pi-reader.ts";
import type { DatabaseReader, DocumentReader, FolderReader, LineReader, Reader } from "./reader.ts";

/** All formats besides trajectory JSONL. Where several recognize a file, the first one reads it. */
export const knownReaders: readonly Reader[] = [
  claudeCodeReader,
  claudeStreamReader,
  claudeStreamDocumentReader,
  piReader,
  anthropicLineReader,
  anthropicDocumentReader,
  openaiLineReader,
  openaiDocumentReader,
];

export const lineReaders: readonly LineReader[] = knownReaders.filter((reader) => reader.type === "lines");
export const documentReaders: readonly DocumentReader[] = knownReaders.filter((reader) => reader.type === "document");
export const databaseReaders: readonly DatabaseReader[] = knownReaders.filter((reader) => reader.type === "database");
export const folderReaders: readonly FolderReader[] = knownReaders.filter((reader) => reader.type === "folder");
