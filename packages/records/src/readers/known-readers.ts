import { openaiDocumentReader, openaiLineReader } from "./openai/openai-readers.ts";
import { openTelemetryDocumentReader, openTelemetryLineReader } from "./opentelemetry/opentelemetry-readers.ts";
import { piReader } from "./pi/pi-reader.ts";
import type { DatabaseReader, DocumentReader, FolderReader, LineReader, Reader } from "./reader.ts";
import { sheepdogDatabaseReader } from "./sheepdog/sheepdog-database-reader.ts";
import { sheepdogLogReader } from "./sheepdog/sheepdog-log-reader.ts";

/** All formats besides trajectory JSONL. Where several recognize a file, the first one reads it. */
export const knownReaders: readonly Reader[] = [
  sheepdogLogReader,
  sheepdogDatabaseReader,
  piReader,
  openTelemetryLineReader,
  openTelemetryDocumentReader,
  openaiLineReader,
  openaiDocumentReader,
];

export const lineReaders: readonly LineReader[] = knownReaders.filter((reader) => reader.type === "lines");
export const documentReaders: readonly DocumentReader[] = knownReaders.filter((reader) => reader.type === "document");
export const databaseReaders: readonly DatabaseReader[] = knownReaders.filter((reader) => reader.type === "database");
export const folderReaders: readonly FolderReader[] = knownReaders.filter((reader) => reader.type === "folder");
