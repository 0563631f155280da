/** What the panel shows of a run: its story, or the same run as calls, files or raw events. */
export type StoryTab = "story" | "calls" | "files" | "raw";
