import type { AnalyzeOptions } from "./analyze-options.ts";
import type { Report } from "./report.ts";

/** The report that the options ask for. Each is loaded only where it is printed. */
export async function chooseReport({ json, jsonl, html, explain }: AnalyzeOptions): Promise<Report> {
  if (json) return (await import("./json-report.ts")).jsonReport;
  if (jsonl) return (await import("./json-report.ts")).jsonlReport;
  if (html !== undefined) return (await import("./html-report.ts")).htmlReport;
  if (explain === "cost") return (await import("./cost-report.ts")).costReport;
  if (explain === "findings") return (await import("./evidence-report.ts")).evidenceReport;
  return (await import("./answer-report.ts")).answerReport;
}

/** Whether the output is data, which has its form also without any run. */
export function isForPrograms({ json, jsonl, html }: AnalyzeOptions): boolean {
  return json === true || jsonl === true || html === "-";
}
