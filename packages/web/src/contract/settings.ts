import { z } from "zod";
import { timeSchema } from "./sentence.ts";

/** A value of the configuration, redacted, with where it comes from. */
export const settingSchema = z.object({
  key: z.string(),
  /** As TOML. */
  value: z.string(),
  defaultValue: z.string().nullable(),
  /** "default", "~/.sheepdog/config.toml:12", "SHEEPDOG_…". */
  origin: z.string(),
  isDefault: z.boolean(),
  description: z.string(),
});

export const settingsSchema = z.object({
  /** Sections in the order of docs/configuration.md. */
  sections: z.array(z.object({ name: z.string(), settings: z.array(settingSchema) })),
  files: z.array(z.object({ path: z.string(), exists: z.boolean(), isTrusted: z.boolean().nullable() })),
  notes: z.array(z.string()),
  /** Set if the configuration is invalid; then the sections are empty. */
  problems: z.array(z.string()),
});
export type Settings = z.infer<typeof settingsSchema>;

export const doctorSchema = z.object({
  checks: z.array(
    z.object({
      name: z.string(),
      status: z.enum(["ok", "warning", "problem", "skipped"]),
      text: z.string(),
      /** What mends it; null if nothing has to be done. */
      fix: z.string().nullable(),
    }),
  ),
});
export type Doctor = z.infer<typeof doctorSchema>;

export const auditQuerySchema = z.object({
  run: z.string().optional(),
  decision: z.enum(["allow", "ask", "deny"]).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});
export const auditPageSchema = z.object({
  entries: z.array(
    z.object({
      id: z.string(),
      at: timeSchema,
      runId: z.string(),
      sessionId: z.string(),
      tool: z.string(),
      input: z.string(),
      by: z.enum(["gate", "guardian", "guard"]),
      tier: z.number().nullable(),
      decision: z.enum(["allow", "ask", "deny"]),
      reason: z.string(),
      answer: z.string().nullable(),
      outcome: z.string(),
    }),
  ),
});
export type AuditPage = z.infer<typeof auditPageSchema>;

export const memoryPageSchema = z.object({
  facts: z.array(z.object({ id: z.string(), at: timeSchema, text: z.string(), tags: z.array(z.string()) })),
  lessons: z.array(
    z.object({ id: z.string(), at: timeSchema, action: z.string(), rule: z.string(), confidence: z.number() }),
  ),
});
export type MemoryPage = z.infer<typeof memoryPageSchema>;
