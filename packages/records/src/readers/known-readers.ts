import { anthropicDocumentReader, anthropicLineReader } from "./anthropic-messages/messages-readers.ts";
import { claudeCodeReader } from "./claude-code/claude-code-reader.ts";
import { claudeStreamDocumentReader, claudeStreamReader } from "./claude-stream/stream-reader.ts";
import { codexReader } from "./codex/codex-reader.ts";
import { codexExecReader } from "./codex-exec/codex-exec-reader.ts";
import { geminiChatReader, geminiDocumentReader } from "./gemini-cli/gemini-chat-reader.ts";
import { geminiCheckpointReader } from "./gemini-cli/gemini-checkpoint-reader.ts";
import { gooseDatabaseReader } from "./goose/goose-database-reader.ts";
import { gooseLinesReader } from "./goose/goose-lines-reader.ts";
import { hermesDatabaseReader } from "./hermes/hermes-database-reader.ts";
import { openaiDocumentReader, openaiLineReader } from "./openai/openai-readers.ts";
import { opencodeDatabaseReader } from "./opencode/opencode-database-reader.ts";
import { opencodeExportReader } from "./opencode/opencode-export-reader.ts";
import { opencodeStorageReader } from "./opencode/opencode-storage-reader.ts";
import { openhandsFolderReader } from "./openhands/openhands-folder-reader.ts";
import { openhandsEvaluationReader, openhandsTrajectoryReader } from "./openhands/openhands-trajectory-reader.ts";
import { openTelemetryDocumentReader, openTelemetryLineReader } from "./opentelemetry/opentelemetry-readers.ts";
import { piReader } from "./pi/pi-reader.ts";
import { qwenReader } from "./qwen-code/qwen-reader.ts";
import type { DatabaseReader, DocumentReader, FolderReader, LineReader, Reader } from "./reader.ts";
import { sheepdogDatabaseReader } from "./sheepdog/sheepdog-database-reader.ts";
import { sheepdogLogReader } from "./sheepdog/sheepdog-log-reader.ts";
import { sheepdogHooksReader } from "./sheepdog-hooks/sheepdog-hooks-reader.ts";

/** All formats besides trajectory JSONL. Where several recognize a file, the first one reads it. */
export const knownReaders: readonly Reader[] = [
  qwenReader,
  claudeCodeReader,
  claudeStreamReader,
  claudeStreamDocumentReader,
  codexReader,
  codexExecReader,
  geminiChatReader,
  geminiDocumentReader,
  geminiCheckpointReader,
  opencodeDatabaseReader,
  opencodeExportReader,
  opencodeStorageReader,
  gooseDatabaseReader,
  gooseLinesReader,
  openhandsFolderReader,
  openhandsTrajectoryReader,
  openhandsEvaluationReader,
  hermesDatabaseReader,
  piReader,
  sheepdogLogReader,
  sheepdogHooksReader,
  sheepdogDatabaseReader,
  openTelemetryLineReader,
  openTelemetryDocumentReader,
  anthropicLineReader,
  anthropicDocumentReader,
  openaiLineReader,
  openaiDocumentReader,
];

export const lineReaders: readonly LineReader[] = knownReaders.filter((reader) => reader.type === "lines");
export const documentReaders: readonly DocumentReader[] = knownReaders.filter((reader) => reader.type === "document");
export const databaseReaders: readonly DatabaseReader[] = knownReaders.filter((reader) => reader.type === "database");
export const folderReaders: readonly FolderReader[] = knownReaders.filter((reader) => reader.type === "folder");
