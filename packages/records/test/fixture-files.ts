import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readRecording } from "../src/readers/read-recording.ts";
import { bytes, collected } from "./builders.ts";

/** A file of the home folder in the fixtures. */
export function fixturePath(path: string): string {
  return fileURLToPath(new URL(`./fixtures/home/${path}`, import.meta.url));
}

export function fixtureText(path: string): string {
  return readFileSync(fixturePath(path), "utf8");
}

/** The first lines of a fixture as objects. */
export function fixtureLines(path: string): Record<string, unknown>[] {
  const lines = fixtureText(path).trim().split("\n").slice(0, 50);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>); // every line of a fixture is an object
}

/** Reads a text as a file of this name. */
export function readText(text: string, file = "renamed.txt"): ReturnType<typeof collected> {
  return collected(readRecording(bytes(text), file));
}
