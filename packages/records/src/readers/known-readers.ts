import { gooseDatabaseReader } from "./goose/goose-database-reader.ts";
import { gooseLinesReader } from "./goose/goose-lines-reader.ts";
import { hermesDatabaseReader } from "./hermes/hermes-database-reader.ts";
import { openaiDocumentReader, openaiLineReader } from "./openai/openai-readers.ts";
import { opencodeDatabaseReader } from "./opencode/opencode-database-reader.ts";
import { opencodeExportReader } from "./opencode/opencode-export-reader.ts";
import { opencodeStorageReader } from "./opencode/opencode-storage-reader.ts";
import { openhandsFolderReader } from "./openhands/openhands-folder-reader.ts";
import { openhandsEvaluationReader, openhandsTrajectoryReader } from "./openhands/openhands-trajectory-reader.ts";
import { piReader } from "./pi/pi-reader.ts";
import type { DatabaseReader, DocumentReader, FolderReader, LineReader, Reader } from "./reader.ts";

/** All formats besides trajectory JSONL. Where several recognize a file, the first one reads it. */
export const knownReaders: readonly Reader[] = [
  piReader,
  opencodeDatabaseReader,
  opencodeExportReader,
  opencodeStorageReader,
  gooseDatabaseReader,
  gooseLinesReader,
  openhandsFolderReader,
  openhandsTrajectoryReader,
  openhandsEvaluationReader,
  hermesDatabaseReader,
  openaiLineReader,
  openaiDocumentReader,
];

export const lineReaders: readonly LineReader[] = knownReaders.filter((reader) => reader.type === "lines");
export const documentReaders: readonly DocumentReader[] = knownReaders.filter((reader) => reader.type === "document");
export const databaseReaders: readonly DatabaseReader[] = knownReaders.filter((reader) => reader.type === "database");
export const folderReaders: readonly FolderReader[] = knownReaders.filter((reader) => reader.type === "folder");
