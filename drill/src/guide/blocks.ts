/** A code block of a document, with the machines that its first line names. */
export type Block = { heading: string; where: string[]; text: string };

const HEADING = /^#+ (.+)$/;
const FENCE = /^(\s*)```sh ?(.*)$/;

/** The shell blocks of a Markdown document, in order. */
export function blocksOf(document: string): Block[] {
  const blocks: Block[] = [];
  let heading = "";
  let open: { indent: number; where: string[]; lines: string[] } | undefined;
  for (const line of document.split("\n")) {
    if (open !== undefined) {
      if (line.trim() === "```") {
        blocks.push({ heading, where: open.where, text: `${open.lines.join("\n")}\n` });
        open = undefined;
      } else open.lines.push(line.slice(open.indent));
      continue;
    }
    const [, title] = HEADING.exec(line) ?? [];
    if (title !== undefined) heading = title;
    const [, space, where] = FENCE.exec(line) ?? [];
    if (space !== undefined)
      open = { indent: space.length, where: (where ?? "").split(" ").filter(Boolean), lines: [] };
  }
  return blocks;
}
