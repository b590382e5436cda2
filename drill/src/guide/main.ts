import { readFile } from "node:fs/promises";
import path from "node:path";
import { blocksOf } from "./blocks.js";
import { checkCluster, startProbe } from "./checks.js";
import { startGuide } from "./guide.js";
import { runWithMachines } from "./machines.js";

const FOLDER = path.resolve(import.meta.dirname, "../../../deploy/high-availability");
const DOCUMENTS = ["README.md", "operation.md"];

/**
 * Executes the shell blocks of `deploy/high-availability/*.md`, word for word, on booted Debian 12 machines in network namespaces.
 * @param keep leaves the machines running. @returns whether all blocks succeeded and all checks are true.
 */
export const runGuide = ({ keep }: { keep: boolean }): Promise<boolean> =>
  runWithMachines({ name: "guide", keep }, async (folder, closing) => {
    const read = (file: string): Promise<string> => readFile(path.join(FOLDER, file), "utf8");
    const blocks = (await Promise.all(DOCUMENTS.map(read))).flatMap(blocksOf);
    const installs = (await Promise.all(["database-machine.sh", "api-machine.sh"].map(read))).flatMap(
      (script) => script.match(/apt-get install .*$/gm) ?? [],
    );
    const guide = await startGuide(folder, FOLDER, installs, closing);
    let chapter = "";
    let probe: Awaited<ReturnType<typeof startProbe>> | undefined;
    for (const block of blocks) {
      if (block.where[0] === "settings") {
        await guide.writeSettings(block);
        continue;
      }
      if (block.heading !== chapter) {
        if (chapter === "Backups") {
          await checkCluster(guide);
          probe = await startProbe(guide);
        }
        await probe?.add();
        chapter = block.heading;
      }
      await guide.execute(block);
    }
    await probe?.verify();
    await checkCluster(guide);
    console.log("Every block of the guides succeeded, and every check is true.");
  });
