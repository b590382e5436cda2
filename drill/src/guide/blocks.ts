/** `where`: the machines that the block's first line, `# on …`, names. */
export type Block = { heading: string; where: string[]; text: string };

const HEADING = /^#+ (.+)$/;
const FENCE = /^(\s*)```sh$/;
const MACHINES = /^# on (.+)$/;

export function findShellBlocks(document: string): Block[] {
  const blocks: Block[] = [];
  let heading = "";
  let open: { indent: number; lines: string[] } | undefined;
  for (const line of document.split("\n")) {
    if (open !== undefined) {
      if (line.trim() === "```") {
        const [, where = ""] = MACHINES.exec(open.lines[0] ?? "") ?? [];
        blocks.push({
          heading,
          where: where.split(", ").filter(Boolean),
          text: `${open.lines.join("\n")}\n`,
        });
        open = undefined;
      } else open.lines.push(line.slice(open.indent));
      continue;
    }
    const [, title] = HEADING.exec(line) ?? [];
    if (title !== undefined) heading = title;
    const [, space] = FENCE.exec(line) ?? [];
    if (space !== undefined) open = { indent: space.length, lines: [] };
  }
  return blocks;
}
