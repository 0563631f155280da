import { codexReader } from "./codex/codex-reader.ts";
import { codexExecReader } from "./codex-exec/codex-exec-reader.ts";
import { geminiChatReader, geminiDocumentReader } from "./gemini-cli/gemini-chat-reader.ts";
import { geminiCheckpointReader } from "./gemini-cli/gemini-checkpoint-reader.ts";
import { qwenReader } from "./qwen-code/qwen-reader.ts";
import type { DatabaseReader, DocumentReader, FolderReader, LineReader, Reader } from "./reader.ts";

/** All formats besides trajectory JSONL. Where several recognize a file, the first one reads it. */
export const knownReaders: readonly Reader[] = [
  codexReader,
  codexExecReader,
  geminiChatReader,
  geminiDocumentReader,
  geminiCheckpointReader,
  qwenReader,
];

export const lineReaders: readonly LineReader[] = knownReaders.filter((reader) => reader.type === "lines");
export const documentReaders: readonly DocumentReader[] = knownReaders.filter((reader) => reader.type === "document");
export const databaseReaders: readonly DatabaseReader[] = knownReaders.filter((reader) => reader.type === "database");
export const folderReaders: readonly FolderReader[] = knownReaders.filter((reader) => reader.type === "folder");
