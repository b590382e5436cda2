import { fstatSync } from "node:fs";

const STDERR = 2;

/** Receives progress messages and, with level "error", what an operator has to act on. */
export type Report = (line: string, level?: "error") => void;

/** Prints to the terminal or the journal. */
export const print: Report = (line, level) => {
  if (level === undefined) console.log(line);
  else console.error(`${isJournal() ? "<3>" : ""}ERROR ${line}`);
};

/** Whether standard error is systemd's journal, which reads a priority from the start of a line (sd-daemon(3)). */
function isJournal(): boolean {
  const { dev, ino } = fstatSync(STDERR);
  return process.env.JOURNAL_STREAM === `${dev}:${ino}`;
}
