import type { Report } from "./report.ts";

export const markdownReport: Report = async () => {};
