import { z } from "zod";
import { readJsonFile, writeJsonFile } from "./private-file.ts";
import type { McpToolDefinition } from "./tool-definition.ts";

/** A tool as the user approved it. */
export interface McpPin {
  readonly sha256: string;
  readonly description: string;
  /** The schema as JSON. */
  readonly schema: string;
  /** Milliseconds since 1970. */
  readonly approvedAt: number;
  /** Identifies the program or the address that offered it. Absent: approved before this was recorded. */
  readonly source?: string | undefined;
}

/** Remembers which definitions the user has approved. */
export interface McpPins {
  find(server: string, tool: string): McpPin | undefined;
  /** The approved tools of a server. */
  tools(server: string): readonly string[];
  /** Approves these definitions; tools of the server that are not listed keep their pins. */
  approve(server: string, definitions: readonly McpToolDefinition[], source?: string): Promise<void>;
  forget(server: string): Promise<void>;
}

const pinSchema = z.object({
  sha256: z.string(),
  description: z.string(),
  schema: z.string(),
  approvedAt: z.number(),
  source: z.string().optional(),
});
const fileSchema = z.object({
  version: z.literal(1),
  servers: z.record(z.string(), z.record(z.string(), pinSchema)),
});
type PinFile = z.output<typeof fileSchema>;

/** Pins in memory only: nothing is approved at the start. */
export function memoryPins(now: () => number = Date.now): McpPins {
  let held = empty();
  return createPins(
    {
      read: async () => held,
      async write(pins) {
        held = pins;
      },
    },
    held,
    now,
  );
}

/**
 * Opens the pins in a file that only the user can read. A missing file has no pins; rejects for a file that cannot be
 * read, because forgetting approvals in silence would ask the user again without a reason.
 */
export async function openPins(path: string, now: () => number = Date.now): Promise<McpPins> {
  const file = { read: () => readPins(path), write: (pins: PinFile) => writeJsonFile(path, pins) };
  return createPins(file, await file.read(), now);
}

interface PinSource {
  read(): Promise<PinFile>;
  write(pins: PinFile): Promise<void>;
}

function createPins(source: PinSource, first: PinFile, now: () => number): McpPins {
  let pins = first;
  let changing: Promise<void> = Promise.resolve();
  // Another process may have changed the file: the change is applied to its newest content.
  const change = (apply: (servers: PinFile["servers"]) => void): Promise<void> => {
    const next = changing.then(async () => {
      const latest = structuredClone(await source.read());
      apply(latest.servers);
      await source.write(latest);
      pins = latest;
    });
    changing = next.catch(() => {});
    return next;
  };
  return {
    find: (server, tool) => own(own(pins.servers, server) ?? {}, tool),
    tools: (server) => Object.keys(own(pins.servers, server) ?? {}),
    approve: (server, definitions, source) =>
      change((servers) => {
        const tools = { ...own(servers, server) };
        for (const { name, sha256, description, inputSchema } of definitions)
          tools[name] = {
            ...{ sha256, description, schema: JSON.stringify(inputSchema), approvedAt: now() },
            ...(source === undefined ? {} : { source }),
          };
        servers[server] = tools;
      }),
    forget: (server) =>
      change((servers) => {
        delete servers[server];
      }),
  };
}

/** Names come from servers, and may be those of inherited properties. */
function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function empty(): PinFile {
  return { version: 1, servers: {} };
}

async function readPins(path: string): Promise<PinFile> {
  const value = await readJsonFile(path);
  if (value === undefined) return empty();
  const read = fileSchema.safeParse(value);
  if (read.success) return read.data;
  throw new Error(`${path} has no valid approvals of MCP tools. Remove it, and approve the tools again.`);
}
