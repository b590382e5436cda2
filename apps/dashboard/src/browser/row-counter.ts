const [LINE_END, QUOTE] = [10, 34];

/**
 * Counts the rows of a file while it comes: its lines without the first.
 * @param quoted whether a text between quotes may have lines of its own, as in CSV.
 */
export function rowCounter(quoted: boolean): { take(chunk: Uint8Array): void; rows(): number } {
  let lines = 0;
  let inText = false;
  return {
    take(chunk) {
      for (const byte of chunk) {
        if (byte === QUOTE) inText = quoted && !inText;
        else if (byte === LINE_END && !inText) lines += 1;
      }
    },
    rows: () => Math.max(0, lines - 1),
  };
}
